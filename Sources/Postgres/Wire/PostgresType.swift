/// A server type by its object id, with the id of the array of it.
///
/// A plain constant. The ids of the built-in types are fixed in the server's catalogue (`pg_type.dat`) and never change,
/// so every parameter is sent with its type and the server guesses nothing.
package struct PostgresType: Sendable, Equatable {
  package let oid: UInt32
  package let arrayOID: UInt32

  package init(oid: UInt32, arrayOID: UInt32) {
    self.oid = oid
    self.arrayOID = arrayOID
  }

  package static let bool = PostgresType(oid: 16, arrayOID: 1000)
  package static let bytea = PostgresType(oid: 17, arrayOID: 1001)
  package static let int8 = PostgresType(oid: 20, arrayOID: 1016)
  package static let int2 = PostgresType(oid: 21, arrayOID: 1005)
  package static let int4 = PostgresType(oid: 23, arrayOID: 1007)
  package static let text = PostgresType(oid: 25, arrayOID: 1009)
  package static let float8 = PostgresType(oid: 701, arrayOID: 1022)
  package static let timestamptz = PostgresType(oid: 1184, arrayOID: 1185)
  package static let uuid = PostgresType(oid: 2950, arrayOID: 2951)
  package static let jsonb = PostgresType(oid: 3802, arrayOID: 3807)
}

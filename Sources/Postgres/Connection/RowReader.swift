internal import CLibPQ

/// One row of a result, readable only inside the decoding closure, on the connection's thread.
///
/// Columns are read by position, with the server's type checked against the one asked for. Values are copied out;
/// `withBytes` lends them.
package struct RowReader: ~Copyable {
  private let result: OpaquePointer
  private let row: Int32
  package let columnCount: Int32

  init(result: OpaquePointer, row: Int32, columnCount: Int32) {
    self.result = result
    self.row = row
    self.columnCount = columnCount
  }

  /// The column's value. NULL, another type or malformed bytes are a `decoding` error.
  package func value<Value: PostgresDecodable>(_ column: Int, as type: Value.Type = Value.self) throws(PostgresError)
    -> Value
  {
    guard let value = try optional(column, as: type) else { throw mismatch(column, "NULL") }
    return value
  }

  /// The column's value, or nil for NULL.
  package func optional<Value: PostgresDecodable>(_ column: Int, as type: Value.Type = Value.self) throws(PostgresError)
    -> Value?
  {
    guard let bytes = try bytes(column, Value.accepts) else { return nil }
    guard let value = Value(postgresBytes: bytes) else { throw mismatch(column, "malformed") }
    return value
  }

  /// The elements of an array column without NULLs.
  package func array<Element: PostgresDecodable>(_ column: Int, of type: Element.Type = Element.self)
    throws(PostgresError) -> [Element]
  {
    let elements = try arrayOfOptionals(column, of: type)
    let values = elements.compactMap { $0 }
    guard values.count == elements.count else { throw mismatch(column, "NULL element") }
    return values
  }

  /// The elements of an array column; NULL elements are nil.
  package func arrayOfOptionals<Element: PostgresDecodable>(_ column: Int, of type: Element.Type = Element.self)
    throws(PostgresError) -> [Element?]
  {
    guard let bytes = try bytes(column, { $0 == Element.postgresType.arrayOID }) else { throw mismatch(column, "NULL") }
    guard let array = PostgresArray<Element>(postgresBytes: bytes) else { throw mismatch(column, "malformed array") }
    return array.elements
  }

  package func isNull(_ column: Int) -> Bool { PQgetisnull(result, row, Int32(column)) != 0 }

  /// Lends the bytes of a `bytea` or text column without copying them; nil for NULL.
  package func withBytes<Result>(_ column: Int, _ body: (UnsafeRawBufferPointer?) throws -> Result) throws -> Result {
    try body(try bytes(column) { $0 == PostgresType.bytea.oid || String.accepts(oid: $0) })
  }

  private func bytes(_ column: Int, _ accepts: (UInt32) -> Bool) throws(PostgresError) -> UnsafeRawBufferPointer? {
    guard column >= 0, column < Int(columnCount) else { throw mismatch(column, "no such column") }
    let index = Int32(truncatingIfNeeded: column)
    guard accepts(PQftype(result, index)) else { throw mismatch(column, "type \(PQftype(result, index))") }
    let length = Int(PQgetlength(result, row, index))
    if length == 0 && PQgetisnull(result, row, index) != 0 { return nil }
    return UnsafeRawBufferPointer(start: PQgetvalue(result, row, index), count: length)
  }

  private func mismatch(_ column: Int, _ found: String) -> PostgresError {
    PostgresError(.decoding, reason: "column \(column): \(found)")
  }
}

import Postgres
import TestSupport
import Testing

@Suite struct RowReaderTests {
  private func decodingFails(_ query: Query, _ decode: @Sendable (borrowing RowReader) throws -> Int) async throws {
    try await withTestDatabase(.empty) { database in
      let error = await #expect(throws: PostgresError.self) { _ = try await database.pool.query(query, decode: decode) }
      #expect(error?.code == .decoding)
    }
  }

  @Test func anotherTypeIsRefused() async throws {
    try await decodingFails("SELECT 'x'") { try $0.value(0, as: Int.self) }
    try await decodingFails("SELECT 1::bigint") { Int(try $0.value(0, as: Int32.self)) }
    try await decodingFails("SELECT 1") { try $0.array(0, of: Int32.self).count }
  }

  @Test func nullIsRefusedWhereAValueIsAsked() async throws {
    try await decodingFails("SELECT NULL::int") { try $0.value(0, as: Int.self) }
  }

  @Test(arguments: [-1, 1, 1 << 40]) func aColumnOutsideTheRowIsRefused(_ column: Int) async throws {
    try await decodingFails("SELECT 1") { try $0.value(column, as: Int.self) }
  }

  @Test func intReadsEveryIntegerType() async throws {
    try await withTestDatabase(.empty) { database in
      let row = try await database.pool.queryFirst("SELECT -1::smallint, -2::int, -3::bigint") {
        [try $0.value(0, as: Int.self), try $0.value(1, as: Int.self), try $0.value(2, as: Int.self)]
      }
      #expect(row == [-1, -2, -3])
    }
  }

  @Test func bytesAreLentWithoutACopy() async throws {
    try await withTestDatabase(.empty) { database in
      let sum = try await database.pool.queryFirst("SELECT '\\x010203'::bytea, NULL::bytea") { row in
        let isNull = try row.withBytes(1) { $0 == nil }
        return try row.withBytes(0) { $0!.reduce(0) { $0 + Int($1) } } + (isNull ? 100 : 0)
      }
      #expect(sum == 106)
    }
  }

  @Test func anErrorOfTheDecodingClosureReachesTheCallerAndLeavesTheConnectionUsable() async throws {
    struct Refusal: Error {}
    try await withTestDatabase(.empty) { database in
      try await database.pool.withConnection { connection in
        await #expect(throws: Refusal.self) {
          _ = try await connection.query("SELECT 1") { _ -> Int in throw Refusal() }
        }
        let found = try await connection.queryFirst("SELECT 2") { try $0.value(0, as: Int.self) }
        #expect(found == 2)
      }
    }
  }
}

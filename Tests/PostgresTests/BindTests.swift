import Postgres
import TestSupport
import Testing

@Suite struct BindTests {
  /// Sends a value and reads it back.
  private func roundTrip<Value: PostgresEncodable & PostgresDecodable>(_ value: Value) async throws -> Value? {
    try await withTestDatabase(.empty) { database in
      try await database.pool.queryFirst("SELECT \(value)") { try $0.value(0, as: Value.self) }
    }
  }

  @Test func integersKeepTheirExtremes() async throws {
    #expect(try await roundTrip(Int16.min) == .min)
    #expect(try await roundTrip(Int32.min) == .min)
    #expect(try await roundTrip(Int64.max) == .max)
    #expect(try await roundTrip(Int.min) == .min)
  }

  @Test(arguments: [0, -0.0, 1.5, -.infinity, .greatestFiniteMagnitude, .leastNonzeroMagnitude])
  func doublesKeepEveryBit(_ value: Double) async throws {
    #expect(try await roundTrip(value)?.bitPattern == value.bitPattern)
  }

  @Test(arguments: [true, false]) func booleansReturn(_ value: Bool) async throws {
    #expect(try await roundTrip(value) == value)
  }

  @Test(arguments: ["", "plain", "Zoë 👩‍👩‍👧 \u{202e}rtl", "line\nquote' \"double\" \\back $1 %s", "e\u{301}"])
  func textReturnsByteForByte(_ value: String) async throws {
    #expect(Array(try await roundTrip(value)?.utf8 ?? "none".utf8) == Array(value.utf8))
  }

  @Test func everyByteReturns() async throws {
    #expect(try await roundTrip([] as [UInt8]) == [])
    #expect(try await roundTrip(Array(0...255) as [UInt8]) == Array(0...255))
  }

  @Test func idsReturnAndReadAsTheServerReadsThem() async throws {
    let id = TestID(uuidHalves: (0x0123_4567_89ab_cdef, 0xfedc_ba98_7654_3210))
    #expect(try await roundTrip(id) == id)
    try await withTestDatabase(.empty) { database in
      let text = try await database.pool.queryFirst("SELECT \(id)::text") { try $0.value(0, as: String.self) }
      #expect(text == "01234567-89ab-cdef-fedc-ba9876543210")
    }
  }

  @Test(arguments: [0, 1, -1, 951_782_400_000_001, -62_135_596_800_000_000, .max, .min])
  func timestampsReturn(_ microseconds: Int64) async throws {
    let timestamp = PostgresTimestamp(microseconds: microseconds)
    #expect(try await roundTrip(timestamp) == timestamp)
  }

  @Test func timestampsMeanWhatTheServerMeans() async throws {
    try await withTestDatabase(.empty) { database in
      let read = try await database.pool.queryFirst(
        "SELECT TIMESTAMPTZ '2024-02-29 12:00:00.5+02', TIMESTAMPTZ 'infinity', TIMESTAMPTZ '-infinity'"
      ) { row in
        try (0...2).map { (column: Int) throws(PostgresError) in try row.value(column, as: PostgresTimestamp.self) }
      }
      // date -u -d '2024-02-29 10:00:00' +%s is 1709200800.
      #expect(read == [PostgresTimestamp(microseconds: 1_709_200_800_500_000), .distantFuture, .distantPast])
    }
  }

  @Test func jsonReturnsAsTheServerWritesIt() async throws {
    let json = PostgresJSON(utf8: Array(#"{"a": [1, "ü"]}"#.utf8))
    #expect(try await roundTrip(json) == json)
  }

  @Test func nullsKeepTheirTypes() async throws {
    try await withTestDatabase(.empty) { database in
      let row = try await database.pool.queryFirst(
        "SELECT \(nil as String?), \(nil as TestID?), pg_typeof(\(nil as Int32?))::text, \(nil as [Int64]?)"
      ) { row in
        (
          try row.optional(0, as: String.self), try row.optional(1, as: TestID.self), try row.value(2, as: String.self),
          row.isNull(3)
        )
      }
      #expect(row?.0 == nil && row?.1 == nil && row?.2 == "integer" && row?.3 == true)
    }
  }

  @Test func aNULIsRefusedByTheServerAsInvalidText() async throws {
    let error = await #expect(throws: PostgresError.self) { _ = try await roundTrip("a\0b") }
    #expect(error?.isInvalidText == true)
  }
}

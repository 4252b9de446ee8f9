import Postgres
import TestSupport
import Testing

@Suite struct ArrayTests {
  private func roundTrip<Element: PostgresEncodable & PostgresDecodable & Equatable>(_ array: [Element]) async throws
    -> [Element]
  {
    try await withTestDatabase(.empty) { database in
      try #require(await database.pool.queryFirst("SELECT \(array)") { try $0.array(0, of: Element.self) })
    }
  }

  @Test func arraysOfEveryElementTypeReturn() async throws {
    #expect(try await roundTrip(["a", "", "ü,{}\"\\"]) == ["a", "", "ü,{}\"\\"])
    #expect(try await roundTrip([TestID(1), TestID(2)]) == [TestID(1), TestID(2)])
    #expect(try await roundTrip([[0, 1, 255], []] as [[UInt8]]) == [[0, 1, 255], []])
    #expect(try await roundTrip([Int16.min, 0]) == [.min, 0])
    #expect(try await roundTrip([Int32.max]) == [.max])
    #expect(try await roundTrip([Int64.min]) == [.min])
    #expect(try await roundTrip([true, false]) == [true, false])
    #expect(try await roundTrip([1.5]) == [1.5])
    let times = [PostgresTimestamp(microseconds: 5), .distantFuture]
    #expect(try await roundTrip(times) == times)
    let documents = [PostgresJSON(utf8: Array("{}".utf8))]
    #expect(try await roundTrip(documents) == documents)
  }

  @Test func emptyArraysStayTypedAndEmpty() async throws {
    #expect(try await roundTrip([] as [String]) == [])
    #expect(try await roundTrip([] as [[UInt8]]) == [])
    try await withTestDatabase(.empty) { database in
      let count = try await database.pool.queryFirst("SELECT count(*) FROM unnest(\([] as [TestID]))") {
        try $0.value(0, as: Int.self)
      }
      #expect(count == 0)
    }
  }

  @Test func nullElementsReturnAsNil() async throws {
    try await withTestDatabase(.empty) { database in
      let elements: [String?] = ["a", nil, ""]
      let read = try await database.pool.queryFirst("SELECT \(elements)") {
        try $0.arrayOfOptionals(0, of: String.self)
      }
      #expect(read == elements)
    }
  }

  @Test func aNullElementIsNoPlainValue() async throws {
    try await withTestDatabase(.empty) { database in
      let error = await #expect(throws: PostgresError.self) {
        _ = try await database.pool.query("SELECT ARRAY[1, NULL]") { try $0.array(0, of: Int32.self) }
      }
      #expect(error?.code == .decoding)
    }
  }

  @Test func arraysOfMoreDimensionsAreRefused() async throws {
    try await withTestDatabase(.empty) { database in
      let error = await #expect(throws: PostgresError.self) {
        _ = try await database.pool.query("SELECT ARRAY[[1], [2]]") { try $0.array(0, of: Int32.self) }
      }
      #expect(error?.code == .decoding)
    }
  }
}

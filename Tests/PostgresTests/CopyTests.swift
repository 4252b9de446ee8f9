import Postgres
import TestSupport
import Testing

@Suite struct CopyTests {
  private static let columns: [StaticString] = ["id", "name", "token", "number", "at", "tags"]

  private func withTable(_ body: (ConnectionPool) async throws -> Void) async throws {
    try await withTestDatabase(.empty) { database in
      try await database.pool.execute(
        "CREATE TABLE t (id uuid PRIMARY KEY, name text, token bytea, number int, at timestamptz, tags text[])")
      try await body(database.pool)
    }
  }

  private static func write(_ number: Int, to writer: inout CopyWriter) throws {
    try writer.row()
    writer.append(TestID(UInt64(number)))
    writer.append("name \(number)")
    writer.append([0, 255, UInt8(truncatingIfNeeded: number)] as [UInt8])
    writer.append(number == 0 ? nil : Int32(number))
    writer.append(PostgresTimestamp(microseconds: Int64(number)))
    writer.append(array: number == 0 ? [] : ["x"])
  }

  private func count(_ pool: ConnectionPool) async throws -> Int? {
    try await pool.queryFirst("SELECT count(*) FROM t") { try $0.value(0, as: Int.self) }
  }

  @Test func rowsArriveWithEveryColumn() async throws {
    try await withTable { pool in
      let copied = try await pool.withConnection { connection in
        try await connection.copyIn(into: "t", columns: Self.columns) { writer in
          for number in 0..<20_000 { try Self.write(number, to: &writer) }
        }
      }
      #expect(copied == 20_000)
      let last = try await pool.queryFirst(
        "SELECT name, token, number, at, tags FROM t WHERE id = \(TestID(19_999))"
      ) { row in
        #expect(try row.value(1, as: [UInt8].self) == [0, 255, 31])
        #expect(try row.value(3, as: PostgresTimestamp.self).microseconds == 19_999)
        #expect(try row.array(4, of: String.self) == ["x"])
        return (try row.value(0, as: String.self), try row.value(2, as: Int.self))
      }
      #expect(last?.0 == "name 19999" && last?.1 == 19_999)
    }
  }

  @Test func noRowsAreNoError() async throws {
    try await withTable { pool in
      let copied = try await pool.withConnection { try await $0.copyIn(into: "t", columns: ["id"]) { _ in } }
      #expect(copied == 0)
    }
  }

  @Test func aRowWithTooFewColumnsFailsAndNothingIsCopied() async throws {
    try await withTable { pool in
      try await pool.withConnection { connection in
        let error = await #expect(throws: PostgresError.self) {
          try await connection.copyIn(into: "t", columns: ["id", "name"]) { writer in
            try writer.row()
            writer.append(TestID(1))
          }
        }
        #expect(error?.code == .misuse)
        let found = try await connection.queryFirst("SELECT count(*) FROM t") { try $0.value(0, as: Int.self) }
        #expect(found == 0)
      }
    }
  }

  @Test func anErrorOfTheRowClosureAbandonsTheCopyAndKeepsTheConnection() async throws {
    struct Refusal: Error {}
    try await withTable { pool in
      try await pool.withConnection { connection in
        await #expect(throws: Refusal.self) {
          try await connection.copyIn(into: "t", columns: Self.columns) { writer in
            for number in 0..<5000 { try Self.write(number, to: &writer) }
            throw Refusal()
          }
        }
        let found = try await connection.queryFirst("SELECT count(*) FROM t") { try $0.value(0, as: Int.self) }
        #expect(found == 0)
      }
    }
  }

  @Test func aDuplicateKeyIsReportedEvenWhileRowsStillCome() async throws {
    try await withTable { pool in
      let error = await #expect(throws: PostgresError.self) {
        try await pool.withConnection { connection in
          try await connection.copyIn(into: "t", columns: Self.columns) { writer in
            for number in 0..<50_000 { try Self.write(number % 100, to: &writer) }
          }
        }
      }
      #expect(error?.isUniqueViolation == true)
      let found = try await count(pool)
      #expect(found == 0)
    }
  }

  @Test func aValueOfAnotherTypeIsRefused() async throws {
    try await withTable { pool in
      let error = await #expect(throws: PostgresError.self) {
        try await pool.withConnection { connection in
          try await connection.copyIn(into: "t", columns: ["id", "number"]) { writer in
            try writer.row()
            writer.append(TestID(1))
            writer.append(Int64(1))
          }
        }
      }
      // 22P03: eight bytes are no int4.
      #expect(error?.sqlState == SQLState("22P03"))
    }
  }

  @Test func aTableThatIsMissingIsTheServersError() async throws {
    try await withTable { pool in
      try await pool.withConnection { connection in
        let error = await #expect(throws: PostgresError.self) {
          try await connection.copyIn(into: "nowhere", columns: ["a"]) { _ in }
        }
        #expect(error?.sqlState == SQLState("42P01"))
        let found = try await connection.queryFirst("SELECT 1") { try $0.value(0, as: Int.self) }
        #expect(found == 1)
      }
    }
  }

  @Test func itIsPartOfTheTransactionItRunsIn() async throws {
    struct Refusal: Error {}
    try await withTable { pool in
      await #expect(throws: Refusal.self) {
        try await pool.withTransaction { connection in
          try await connection.copyIn(into: "t", columns: Self.columns) { try Self.write(1, to: &$0) }
          throw Refusal()
        }
      }
      let found = try await count(pool)
      #expect(found == 0)
    }
  }

  @Test func theDeadlineEndsItWhileRowsStillCome() async throws {
    try await withTable { pool in
      let error = await #expect(throws: PostgresError.self) {
        try await pool.withConnection { connection in
          try await connection.copyIn(into: "t", columns: Self.columns, deadline: .now + .milliseconds(50)) { writer in
            for number in 0... { try Self.write(number, to: &writer) }
          }
        }
      }
      #expect(error?.code == .deadlineExceeded)
      let found = try await count(pool)
      #expect(found == 0)
    }
  }

  @Test func cancellationEndsItWhileRowsStillCome() async throws {
    try await withTable { pool in
      let (started, continuation) = AsyncStream.makeStream(of: Void.self)
      let task = Task {
        try await pool.withConnection { connection in
          _ = try await connection.copyIn(into: "t", columns: Self.columns) { writer in
            for number in 0... {
              try Self.write(number, to: &writer)
              if number == 1000 { continuation.finish() }
            }
          }
        }
      }
      for await _ in started {}
      task.cancel()
      await #expect(throws: CancellationError.self) { try await task.value }
      let found = try await count(pool)
      #expect(found == 0)
    }
  }

  @Test func copyThroughAQueryIsRefused() async throws {
    try await withTable { pool in
      let error = await #expect(throws: PostgresError.self) { try await pool.execute("COPY t TO STDOUT") }
      #expect(error?.code == .misuse)
      let found = try await count(pool)
      #expect(found == 0)
    }
  }
}

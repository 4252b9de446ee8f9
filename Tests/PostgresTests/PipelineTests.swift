import Postgres
import TestSupport
import Testing

@Suite struct PipelineTests {
  private func withTable(_ body: (ConnectionPool) async throws -> Void) async throws {
    try await withTestDatabase(.empty) { database in
      try await database.pool.execute("CREATE TABLE t (a int PRIMARY KEY)")
      try await body(database.pool)
    }
  }

  private func stored(_ pool: ConnectionPool) async throws -> [Int] {
    try await pool.query("SELECT a FROM t ORDER BY a") { try $0.value(0, as: Int.self) }
  }

  private func insert(_ number: Int) -> Query { "INSERT INTO t VALUES (\(Int32(number))) RETURNING a" }

  @Test func statementsInOneTransactionAnswerInOrder() async throws {
    try await withTable { pool in
      let outcomes = try await pool.pipeline((1...500).map(insert)) { try $0.value(0, as: Int.self) }
      #expect(outcomes.map(\.rows) == (1...500).map { [$0] })
      #expect(outcomes.allSatisfy { $0.affectedRows == 1 })
      #expect(try await stored(pool) == Array(1...500))
    }
  }

  @Test func oneFailureInOneTransactionUndoesAll() async throws {
    try await withTable { pool in
      let error = await #expect(throws: PostgresError.self) {
        _ = try await pool.pipeline([insert(1), insert(1), insert(2)]) { try $0.value(0, as: Int.self) }
      }
      #expect(error?.isUniqueViolation == true)
      let found = try await stored(pool)
      #expect(found == [])
    }
  }

  @Test(arguments: [PipelineFlush.each, .together])
  func aFailureInSeparateTransactionsIsItsOwnOnly(_ flush: PipelineFlush) async throws {
    try await withTable { pool in
      let results = try await pool.pipelineSeparately(
        [insert(1), insert(1), "INSERT INTO nowhere VALUES (1)", "SELECT 1/0", insert(2)], flush: flush
      ) { try $0.value(0, as: Int.self) }
      #expect(results.map { try? $0.get().rows } == [[1], nil, nil, nil, [2]])
      #expect(results.map(\.failureState) == [nil, .uniqueViolation, SQLState("42P01"), SQLState("22012"), nil])
      #expect(try await stored(pool) == [1, 2])
    }
  }

  @Test func theSessionWaitsForItsCommitsAgainAfterAGroupedFlush() async throws {
    try await withTable { pool in
      try await pool.withConnection { connection in
        try await connection.executeScript("SET synchronous_commit = DEFAULT")
        let before = try await connection.queryFirst("SHOW synchronous_commit") { try $0.value(0, as: String.self) }
        _ = try await connection.pipelineSeparately([insert(1), insert(2)]) { _ in 0 }
        let after = try await connection.queryFirst("SHOW synchronous_commit") { try $0.value(0, as: String.self) }
        #expect(before == after)
      }
    }
  }

  @Test func insideATransactionItIsPartOfIt() async throws {
    struct Refusal: Error {}
    try await withTable { pool in
      await #expect(throws: Refusal.self) {
        try await pool.withTransaction { connection in
          _ = try await connection.pipeline([insert(1), insert(2)]) { _ in 0 }
          throw Refusal()
        }
      }
      let found = try await stored(pool)
      #expect(found == [])
    }
  }

  @Test func separateTransactionsInsideATransactionAreRefused() async throws {
    try await withTable { pool in
      let error = await #expect(throws: PostgresError.self) {
        try await pool.withTransaction { connection in
          _ = try await connection.pipelineSeparately([insert(1)]) { _ in 0 }
        }
      }
      #expect(error?.code == .misuse)
    }
  }

  @Test func muchDataInBothDirectionsDoesNotStall() async throws {
    try await withTable { pool in
      let megabyte = [UInt8](repeating: 7, count: 1 << 20)
      let outcomes = try await pool.pipeline((0..<32).map { _ in "SELECT \(megabyte)" }) {
        try $0.value(0, as: [UInt8].self).count
      }
      #expect(outcomes.map(\.rows) == Array(repeating: [1 << 20], count: 32))
    }
  }

  @Test func theDeadlineStopsThePipelineAndTheConnectionIsReplaced() async throws {
    try await withTable { pool in
      let error = await #expect(throws: PostgresError.self) {
        _ = try await pool.pipeline([insert(1), "SELECT pg_sleep(60)::text"], deadline: .now + .milliseconds(100)) {
          _ in 0
        }
      }
      #expect(error?.code == .deadlineExceeded)
      let found = try await stored(pool)
      #expect(found == [])
    }
  }

  @Test func anErrorOfTheDecodingClosureComesAfterEverythingWasRead() async throws {
    struct Refusal: Error {}
    try await withTable { pool in
      try await pool.withConnection { connection in
        await #expect(throws: Refusal.self) {
          _ = try await connection.pipelineSeparately([insert(1), insert(2)]) { _ -> Int in throw Refusal() }
        }
        let found = try await connection.query("SELECT a FROM t") { try $0.value(0, as: Int.self) }.count
        #expect(found == 2)
      }
    }
  }

  @Test func aKilledServerProcessFailsTheWholeCall() async throws {
    try await withTable { pool in
      let error = await #expect(throws: PostgresError.self) {
        _ = try await pool.pipelineSeparately([insert(1), "SELECT pg_terminate_backend(pg_backend_pid())", insert(2)]) {
          _ in 0
        }
      }
      #expect(error?.isConnectionLost == true)
      let found = try await pool.queryFirst("SELECT 1") { try $0.value(0, as: Int.self) }
      #expect(found == 1)
    }
  }

  @Test func moreStatementsThanTheCacheHoldsAreSentUnprepared() async throws {
    try await withTable { pool in
      var configuration = pool.configuration.connection
      configuration.statementCacheCapacity = 2
      let connection = try await PostgresConnection.connect(configuration)
      let outcomes = try await connection.pipeline(["SELECT 1", "SELECT 1, 1", "SELECT 1, 1, 1"]) { $0.columnCount }
      #expect(outcomes.map(\.rows) == [[1], [2], [3]])
    }
  }
}

extension Result where Failure == PostgresError {
  var failureState: SQLState? {
    guard case .failure(let error) = self else { return nil }
    return error.sqlState
  }
}

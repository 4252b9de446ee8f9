import Postgres
import TestSupport
import Testing

@Suite struct DeadlineTests {
  @Test func aStatementThatTakesTooLongIsCancelledAndTheSessionGoesOn() async throws {
    try await withTestDatabase(.empty) { database in
      try await database.pool.withConnection { connection in
        let pid = try await connection.backendPID()
        let error = await #expect(throws: PostgresError.self) {
          try await connection.execute("SELECT pg_sleep(60)", deadline: .now + .milliseconds(50))
        }
        #expect(error?.code == .deadlineExceeded)
        let next = try await connection.queryFirst("SELECT pg_backend_pid()") { try $0.value(0, as: Int32.self) }
        #expect(next == pid)
      }
    }
  }

  @Test func aDeadlineInThePastStillLeavesTheSessionUsable() async throws {
    try await withTestDatabase(.empty) { database in
      try await database.pool.withConnection { connection in
        let error = await #expect(throws: PostgresError.self) {
          try await connection.execute("SELECT pg_sleep(60)", deadline: .now - .seconds(1))
        }
        #expect(error?.code == .deadlineExceeded)
        let one = try await connection.queryFirst("SELECT 1") { try $0.value(0, as: Int.self) }
        #expect(one == 1)
      }
    }
  }

  @Test func theServersOwnLimitIsReportedAsADeadline() async throws {
    try await withTestDatabase(.empty) { database in
      var configuration = ConnectionConfiguration(conninfo: database.conninfo)
      configuration.statementTimeout = .milliseconds(50)
      let connection = try await PostgresConnection.connect(configuration)
      let error = await #expect(throws: PostgresError.self) { try await connection.execute("SELECT pg_sleep(60)") }
      #expect(error?.code == .deadlineExceeded)
    }
  }

  @Test func aServerThatNoLongerAnswersCostsTheDeadlineAndTheGraceAndNoMore() async throws {
    try await withTestDatabase(.empty) { database in
      let proxy = try FreezableProxy(database.conninfo)
      defer { proxy.stop() }
      var configuration = PoolConfiguration(conninfo: proxy.conninfo)
      configuration.maximumConnections = 1
      configuration.connection.cancelGrace = .milliseconds(100)
      let pool = ConnectionPool(configuration)
      try await pool.execute("SELECT 1")
      proxy.freeze()
      let start = ContinuousClock.now
      let error = await #expect(throws: PostgresError.self) {
        try await pool.execute("SELECT 1", deadline: .now + .milliseconds(100))
      }
      #expect(error?.code == .deadlineExceeded)
      // 200 ms are due; the machine is shared.
      #expect(start.duration(to: .now) < .seconds(3))
      proxy.thaw()
      let one = try await pool.queryFirst("SELECT 1") { try $0.value(0, as: Int.self) }
      #expect(one == 1)
      await pool.close()
    }
  }

  @Test func aCancelledTaskDoesNotWaitForASilentServer() async throws {
    try await withTestDatabase(.empty) { database in
      let proxy = try FreezableProxy(database.conninfo)
      defer { proxy.stop() }
      var configuration = ConnectionConfiguration(conninfo: proxy.conninfo)
      configuration.cancelGrace = .milliseconds(100)
      let connection = try await PostgresConnection.connect(configuration)
      proxy.freeze()
      let task = Task { try await connection.execute("SELECT 1", deadline: .now + .seconds(60)) }
      task.cancel()
      await #expect(throws: CancellationError.self) { try await task.value }
    }
  }

  @Test func aCancellationThatComesTooLateHitsNoLaterStatement() async throws {
    try await withTestDatabase(.empty) { database in
      try await database.pool.withConnection { connection in
        for round in 0..<200 {
          let task = Task { try? await connection.execute("SELECT 1") }
          await Task.yield()
          task.cancel()
          _ = await task.value
          let next = try await connection.queryFirst("SELECT \(round)") { try $0.value(0, as: Int.self) }
          #expect(next == round)
        }
      }
    }
  }
}

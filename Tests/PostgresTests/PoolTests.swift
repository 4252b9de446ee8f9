import Postgres
import TestSupport
import Testing

@Suite struct PoolTests {
  private func pool(
    _ database: TestDatabase, _ size: Int = 1, _ change: (inout PoolConfiguration) -> Void = { _ in }
  ) -> ConnectionPool {
    var configuration = PoolConfiguration(conninfo: database.conninfo)
    configuration.maximumConnections = size
    change(&configuration)
    return ConnectionPool(configuration)
  }

  private func pid(_ pool: ConnectionPool) async throws -> Int32 {
    try await pool.withConnection { try await $0.backendPID() }
  }

  @Test func aConnectionIsUsedAgain() async throws {
    try await withTestDatabase(.empty) { database in
      let pool = pool(database, 4)
      let first = try await pid(pool)
      #expect(try await pid(pool) == first)
      await pool.close()
    }
  }

  @Test func noMoreConnectionsAreOpenedThanAllowed() async throws {
    try await withTestDatabase(.empty) { database in
      let pool = pool(database, 3)
      let pids = try await withThrowingTaskGroup(of: Int32.self) { group in
        for _ in 0..<50 {
          group.addTask {
            try await pool.withConnection { connection in
              try await connection.execute("SELECT pg_sleep(0.001)")
              return try await connection.backendPID()
            }
          }
        }
        return try await group.reduce(into: Set<Int32>()) { $0.insert($1) }
      }
      #expect(pids.count <= 3)
      await pool.close()
    }
  }

  @Test func waitingEndsAtTheDeadline() async throws {
    try await withTestDatabase(.empty) { database in
      let pool = pool(database)
      try await pool.withConnection { _ in
        let error = await #expect(throws: PostgresError.self) {
          try await pool.withConnection(deadline: .now + .milliseconds(30)) { _ in }
        }
        #expect(error?.code == .poolExhausted && error?.isUnavailable == true)
      }
      await pool.close()
    }
  }

  @Test func aFullWaitQueueRefusesAtOnce() async throws {
    try await withTestDatabase(.empty) { database in
      let pool = pool(database) { $0.maximumWaiters = 0 }
      // Even the first caller waits, for the connection to be opened.
      let error = await #expect(throws: PostgresError.self) { try await pool.execute("SELECT 1") }
      #expect(error?.code == .poolExhausted)
    }
  }

  @Test func aCancelledWaiterLeavesTheQueue() async throws {
    try await withTestDatabase(.empty) { database in
      let pool = pool(database)
      try await pool.withConnection { _ in
        let waiter = Task { try await pool.execute("SELECT 1") }
        waiter.cancel()
        await #expect(throws: CancellationError.self) { try await waiter.value }
      }
      #expect(try await pool.execute("SELECT 1") == 1)
      await pool.close()
    }
  }

  @Test func anIdleConnectionThatWasKilledIsReplacedUnnoticed() async throws {
    try await withTestDatabase(.empty) { database in
      let pool = pool(database)
      let killed = try await pid(pool)
      try await Observer(database.conninfo).terminate(killed)
      #expect(try await pid(pool) != killed)
      await pool.close()
    }
  }

  @Test func aConnectionKilledInMidStatementFailsThatStatementOnly() async throws {
    try await withTestDatabase(.empty) { database in
      let pool = pool(database)
      let victim = try await pid(pool)
      let observer = Observer(database.conninfo)
      let statement = Task { try await pool.execute("SELECT pg_sleep(60)", deadline: .now + .seconds(60)) }
      try await eventually("the statement runs") { try await observer.state(of: victim) == "active" }
      try await observer.terminate(victim)
      let error = await #expect(throws: PostgresError.self) { try await statement.value }
      #expect(error?.code == .connectionLost)
      #expect(try await pool.execute("SELECT 1") == 1)
      await pool.close()
    }
  }

  @Test func aTransactionLeftOpenIsRolledBackBeforeTheNextUse() async throws {
    try await withTestDatabase(.empty) { database in
      let pool = pool(database)
      try await pool.execute("CREATE TABLE t (a int)")
      let first = try await pool.withConnection { connection in
        try await connection.executeScript("BEGIN; INSERT INTO t VALUES (1)")
        return try await connection.backendPID()
      }
      let rows = try await pool.query("SELECT a FROM t") { try $0.value(0, as: Int.self) }
      #expect(rows == [])
      #expect(try await pid(pool) == first)
      await pool.close()
    }
  }

  @Test func theWaitingAreServedInOrder() async throws {
    try await withTestDatabase(.empty) { database in
      let pool = pool(database)
      let (order, continuation) = AsyncStream.makeStream(of: Int.self)
      try await withThrowingTaskGroup(of: Void.self) { group in
        try await pool.withConnection { _ in
          for number in 0..<5 {
            group.addTask { try await pool.withConnection { _ in _ = continuation.yield(number) } }
            try await eventually("the caller waits") { pool.waiterCount == number + 1 }
          }
        }
        try await group.waitForAll()
      }
      continuation.finish()
      #expect(await order.reduce(into: []) { $0.append($1) } == [0, 1, 2, 3, 4])
      await pool.close()
    }
  }

  @Test func withoutAServerTheCallerLearnsWhyAndAttemptsArePaced() async throws {
    var configuration = PoolConfiguration(conninfo: "host=/nonexistent dbname=x")
    configuration.maximumConnections = 10
    configuration.acquireTimeout = .milliseconds(300)
    configuration.initialBackoff = .milliseconds(50)
    let pool = ConnectionPool(configuration)
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<20 {
        group.addTask {
          let error = await #expect(throws: PostgresError.self) { try await pool.execute("SELECT 1") }
          #expect(error?.code == .connectionFailed)
        }
      }
    }
    // Ten openers fail at once, then one goes on: pauses of at least 25, 50, 100 ms fit into 300.
    #expect(pool.failedAttempts <= 10 + 4)
    await pool.close()
  }

  @Test func closingWaitsForLeasesAndRefusesOthers() async throws {
    try await withTestDatabase(.empty) { database in
      let pool = pool(database)
      let (holding, continuation) = AsyncStream.makeStream(of: Void.self)
      let holder = Task {
        try await pool.withConnection { connection in
          continuation.finish()
          return try await connection.queryFirst("SELECT 1, pg_sleep(0.05)") { try $0.value(0, as: Int.self) }
        }
      }
      for await _ in holding {}
      let waiter = Task { try await pool.execute("SELECT 1") }
      try await eventually("the caller waits") { pool.waiterCount == 1 }
      await pool.close()
      #expect(try await holder.value == 1)
      for refused in [waiter, Task { try await pool.execute("SELECT 1") }] {
        let error = await #expect(throws: PostgresError.self) { try await refused.value }
        #expect(error?.code == .closed)
      }
    }
  }

  @Test func closingBreaksOffWhatIsOutAtTheDeadline() async throws {
    try await withTestDatabase(.empty) { database in
      let pool = pool(database)
      let statement = Task { try await pool.execute("SELECT pg_sleep(60)", deadline: .now + .seconds(60)) }
      let observer = Observer(database.conninfo)
      try await eventually("the statement runs") { try await observer.count(of: "active") == 1 }
      await pool.close(deadline: .now)
      let error = await #expect(throws: PostgresError.self) { try await statement.value }
      #expect(error?.code == .closed)
    }
  }
}

import Postgres
import TestSupport
import Testing

@Suite struct TransactionTests {
  private func count(_ database: TestDatabase) async throws -> Int? {
    try await database.pool.queryFirst("SELECT count(*) FROM t") { try $0.value(0, as: Int.self) }
  }

  private func withTable(_ body: (TestDatabase) async throws -> Void) async throws {
    try await withTestDatabase(.empty) { database in
      try await database.pool.execute("CREATE TABLE t (a int PRIMARY KEY, b int NOT NULL DEFAULT 0)")
      try await body(database)
    }
  }

  @Test func itCommitsWhenTheBodyReturns() async throws {
    try await withTable { database in
      let result = try await database.pool.withTransaction { connection in
        try await connection.execute("INSERT INTO t VALUES (1), (2)")
      }
      #expect(result == 2)
      #expect(try await count(database) == 2)
    }
  }

  @Test func itRollsBackWhenTheBodyThrows() async throws {
    struct Refusal: Error {}
    try await withTable { database in
      await #expect(throws: Refusal.self) {
        try await database.pool.withTransaction { connection in
          try await connection.execute("INSERT INTO t VALUES (1)")
          throw Refusal()
        }
      }
      let found = try await count(database)
      #expect(found == 0)
    }
  }

  @Test func aSwallowedErrorDoesNotPassForACommit() async throws {
    try await withTable { database in
      let error = await #expect(throws: PostgresError.self) {
        try await database.pool.withTransaction { connection in
          try await connection.execute("INSERT INTO t VALUES (1)")
          _ = try? await connection.execute("INSERT INTO t VALUES (1)")
        }
      }
      #expect(error?.code == .transactionAborted)
      let found = try await count(database)
      #expect(found == 0)
    }
  }

  @Test func aTransactionEndedFromWithinIsReported() async throws {
    try await withTable { database in
      let error = await #expect(throws: PostgresError.self) {
        try await database.pool.withTransaction { try await $0.executeScript("COMMIT") }
      }
      #expect(error?.code == .misuse)
    }
  }

  @Test func aTransactionInsideATransactionIsRefused() async throws {
    try await withTable { database in
      let error = await #expect(throws: PostgresError.self) {
        try await database.pool.withTransaction { outer in
          try await outer.withTransaction { _ in }
        }
      }
      #expect(error?.code == .misuse)
    }
  }

  @Test func aReadOnlySnapshotWritesNothing() async throws {
    try await withTable { database in
      let error = await #expect(throws: PostgresError.self) {
        try await database.pool.withTransaction(.readOnlySnapshot) { try await $0.execute("INSERT INTO t VALUES (1)") }
      }
      #expect(error?.isReadOnly == true)
    }
  }

  @Test func aCancelledTaskRollsBackAndGivesTheConnectionBack() async throws {
    try await withTable { database in
      let (started, continuation) = AsyncStream.makeStream(of: Int32.self)
      let task = Task {
        try await database.pool.withTransaction { connection in
          try await connection.execute("INSERT INTO t VALUES (1)")
          continuation.yield(try await connection.backendPID())
          _ = try await connection.query("SELECT pg_sleep(60)") { _ in 0 }
        }
      }
      let pid = try #require(await started.first { _ in true })
      let observer = Observer(database.conninfo)
      try await eventually("the transaction sleeps") { try await observer.state(of: pid) == "active" }
      task.cancel()
      await #expect(throws: CancellationError.self) { try await task.value }
      #expect(try await count(database) == 0)
      // The same session goes on: it was given back, not thrown away.
      #expect(try await observer.state(of: pid) == "idle")
    }
  }

  @Test func deadlocksAreRetriedUntilBothHaveCommitted() async throws {
    try await withTable { database in
      try await database.pool.execute("INSERT INTO t VALUES (1), (2)")
      let attempts = Counter()
      let bothHoldOne = Rendezvous(2)
      try await withThrowingTaskGroup(of: Void.self) { group in
        for order in [[1, 2], [2, 1]] {
          group.addTask {
            try await database.pool.withTransaction { connection in
              attempts.increment()
              try await connection.execute("UPDATE t SET b = b + 1 WHERE a = \(order[0])")
              await bothHoldOne.arrive()
              try await connection.execute("UPDATE t SET b = b + 1 WHERE a = \(order[1])")
            }
          }
        }
        try await group.waitForAll()
      }
      let sums = try await database.pool.query("SELECT b FROM t ORDER BY a") { try $0.value(0, as: Int.self) }
      #expect(sums == [2, 2])
      #expect(attempts.value > 2)
    }
  }

  @Test func serializationFailuresAreRetried() async throws {
    try await withTable { database in
      try await database.pool.execute("INSERT INTO t VALUES (1)")
      let bothHaveRead = Rendezvous(2)
      try await withThrowingTaskGroup(of: Void.self) { group in
        for _ in 0..<2 {
          group.addTask {
            try await database.pool.withTransaction(.serializable) { connection in
              let b = try await connection.queryFirst("SELECT b FROM t WHERE a = 1") { try $0.value(0, as: Int32.self) }
              await bothHaveRead.arrive()
              try await connection.execute("UPDATE t SET b = \((b ?? 0) + 1) WHERE a = 1")
            }
          }
        }
        try await group.waitForAll()
      }
      let b = try await database.pool.queryFirst("SELECT b FROM t") { try $0.value(0, as: Int.self) }
      #expect(b == 2)
    }
  }

  @Test func otherErrorsAreNotRetried() async throws {
    try await withTable { database in
      let attempts = Counter()
      await #expect(throws: PostgresError.self) {
        try await database.pool.withTransaction { connection in
          attempts.increment()
          try await connection.execute("INSERT INTO t VALUES (1), (1)")
        }
      }
      #expect(attempts.value == 1)
    }
  }
}

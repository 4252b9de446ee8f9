import Glibc
import Postgres
import Testing
import TestSupport

@Suite struct SmokeTests {

  @Test func aTransactionCommitsAndAQueryReads() async throws {
    let database = try await TestDatabase.make(.empty); let pool = database.pool
    try await pool.withTransaction { c in
      try await c.execute("CREATE TEMP TABLE t (a int, b text)")
      let n = try await c.execute(
        "INSERT INTO t VALUES (\(Int32(1)), \("x'; drop table t; --")), (2, \(nil as String?))")
      #expect(n == 2)
      let rows = try await c.query("SELECT a, b FROM t WHERE a = ANY(\([Int32(1), 2])) ORDER BY a") {
        (try $0.value(0, as: Int.self), try $0.optional(1, as: String.self))
      }
      #expect(rows.map(\.0) == [1, 2])
      #expect(rows.map(\.1) == ["x'; drop table t; --", nil])
    }
    let one = try await pool.query("SELECT 1") { try $0.value(0, as: Int.self) }
    #expect(one == [1])
    await #expect(throws: PostgresError.self) {
      try await pool.query("SELECT pg_sleep(5)", deadline: .now + .milliseconds(100)) { _ in 0 }
    }
    let task = Task { try await pool.query("SELECT 1, pg_sleep(5)") { try $0.value(0, as: Int.self) } }
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    await pool.close()
    await #expect(throws: PostgresError.self) { try await pool.execute("SELECT 1") }
  }
}

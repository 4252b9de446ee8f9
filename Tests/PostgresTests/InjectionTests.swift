import Postgres
import TestSupport
import Testing

@Suite struct InjectionTests {
  @Test(arguments: [
    "'; DROP TABLE t; --", "$1", "$$; DELETE FROM t; $$", "\\'; DELETE FROM t; --", "x'::text || (SELECT 1)::text || '",
    "/* */ -- \u{2019}\u{ff07}",
  ])
  func hostileTextIsStoredAsText(_ hostile: String) async throws {
    try await withTestDatabase(.empty) { database in
      try await database.pool.execute("CREATE TABLE t (a text)")
      try await database.pool.execute("INSERT INTO t VALUES (\(hostile))")
      let stored = try await database.pool.query("SELECT a FROM t WHERE a = \(hostile)") {
        try $0.value(0, as: String.self)
      }
      #expect(stored == [hostile])
    }
  }

  @Test func severalStatementsInOneQueryAreRefused() async throws {
    try await withTestDatabase(.empty) { database in
      // 42601: a prepared statement is exactly one.
      let error = await #expect(throws: PostgresError.self) { try await database.pool.execute("SELECT 1; SELECT 2") }
      #expect(error?.sqlState == SQLState("42601"))
    }
  }
}

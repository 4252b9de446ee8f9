@testable import Postgres
import TestSupport
import Testing

@Suite struct StatementCacheTests {
  private func key(_ sql: String) -> StatementCache.Key { StatementCache.Key(sql: sql, types: []) }

  @Test func theLeastRecentlyUsedStatementGoes() {
    var cache = StatementCache(capacity: 2)
    #expect(cache.insert(key("a"), name: "s1") == nil)
    #expect(cache.insert(key("b"), name: "s2") == nil)
    #expect(cache.name(for: key("a")) == "s1")
    #expect(cache.insert(key("c"), name: "s3") == "s2")
    #expect(cache.count == 2)
  }

  @Test func theSameTextWithOtherTypesIsAnotherStatement() {
    var cache = StatementCache(capacity: 2)
    _ = cache.insert(StatementCache.Key(sql: "a", types: [23]), name: "s1")
    #expect(cache.name(for: StatementCache.Key(sql: "a", types: [25])) == nil)
  }

  private func prepared(_ connection: PostgresConnection) async throws -> Int? {
    try await connection.queryFirst("SELECT count(*) FROM pg_prepared_statements") { try $0.value(0, as: Int.self) }
  }

  @Test func theServerHoldsNoMoreStatementsThanTheCache() async throws {
    try await withTestDatabase(.empty) { database in
      var configuration = ConnectionConfiguration(conninfo: database.conninfo)
      configuration.statementCacheCapacity = 3
      let connection = try await PostgresConnection.connect(configuration)
      for query: Query in ["SELECT 1", "SELECT 2", "SELECT 3", "SELECT 4", "SELECT 5"] {
        try await connection.execute(query)
      }
      let count = try await prepared(connection)
      #expect(count == 3)
    }
  }

  @Test func throughATransactionPoolerNothingIsPrepared() async throws {
    try await withTestDatabase(.empty) { database in
      var configuration = ConnectionConfiguration(conninfo: database.conninfo)
      configuration.route = .transactionPooler
      let connection = try await PostgresConnection.connect(configuration)
      _ = try await connection.pipeline(["SELECT \(1)", "SELECT \(2)"]) { try $0.value(0, as: Int.self) }
      let count = try await prepared(connection)
      #expect(count == 0)
    }
  }

  @Test func aStatementOutdatedByASchemaChangeIsPreparedAgain() async throws {
    try await withTestDatabase(.empty) { database in
      try await database.pool.withConnection { connection in
        try await connection.execute("CREATE TABLE t (a int)")
        try await connection.execute("INSERT INTO t VALUES (1)")
        for columns in 1...3 {
          let found = try await connection.queryFirst("SELECT * FROM t") { $0.columnCount }
          #expect(found == columns)
          try await connection.executeScript("ALTER TABLE t ADD COLUMN c\(columns) int")
        }
      }
    }
  }

  @Test func statementsDiscardedOnTheServerArePreparedAgain() async throws {
    try await withTestDatabase(.empty) { database in
      try await database.pool.withConnection { connection in
        try await connection.execute("SELECT 1")
        try await connection.executeScript("DISCARD ALL")
        let one = try await connection.queryFirst("SELECT 1") { try $0.value(0, as: Int.self) }
        #expect(one == 1)
      }
    }
  }
}

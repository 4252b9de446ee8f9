import Postgres
import TestSupport
import Testing

@Suite struct PostgresErrorTests {
  @Test func aViolatedConstraintIsNamedAndNoValueShown() async throws {
    try await withTestDatabase(.empty) { database in
      try await database.pool.execute("CREATE TABLE t (a text CONSTRAINT t_a_key UNIQUE)")
      try await database.pool.execute("INSERT INTO t VALUES (\("hunter2"))")
      let error = try #require(
        await #expect(throws: PostgresError.self) {
          try await database.pool.execute("INSERT INTO t VALUES (\("hunter2"))")
        })
      #expect(error.isUniqueViolation)
      #expect(error.constraint == "t_a_key")
      var dumped = ""
      dump(error, to: &dumped)
      let shown = "\(error) \(String(reflecting: error)) \(dumped)"
      #expect(shown.contains("23505") && String(reflecting: error).contains("t_a_key"))
      #expect(!shown.contains("hunter2") && !shown.contains("INSERT"))
    }
  }

  @Test func aValueQuotedByTheServerStaysHidden() async throws {
    try await withTestDatabase(.empty) { database in
      let error = try #require(
        await #expect(throws: PostgresError.self) { try await database.pool.execute("SELECT \("hunter2")::int") })
      #expect(error.sqlState == SQLState("22P02"))
      var dumped = ""
      dump(error, to: &dumped)
      #expect(!"\(error) \(String(reflecting: error)) \(dumped)".contains("hunter2"))
    }
  }

  @Test func aReadOnlyServerIsRecognised() async throws {
    try await withTestDatabase(.empty) { database in
      try await database.pool.withConnection { connection in
        try await connection.executeScript("SET default_transaction_read_only = on")
        let error = await #expect(throws: PostgresError.self) {
          try await connection.execute("CREATE TABLE t (a int)")
        }
        #expect(error?.isReadOnly == true && error?.isUnavailable == true)
      }
    }
  }

  @Test func aRefusedConnectionGivesItsReasonOnlyToDebugging() async throws {
    let error = try #require(
      await #expect(throws: PostgresError.self) {
        _ = try await PostgresConnection.connect(
          ConnectionConfiguration(conninfo: "host=/nonexistent dbname=x password=hunter2"))
      })
    #expect(error.code == .connectionFailed && error.isConnectionLost && error.isUnavailable)
    #expect("\(error)" == "PostgreSQL: no connection")
    #expect(String(reflecting: error).contains("/nonexistent"))
    #expect(!String(reflecting: error).contains("hunter2"))
  }
}

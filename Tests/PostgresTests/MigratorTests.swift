import Glibc
import Postgres
import TestSupport
import Testing

@Suite struct MigratorTests {
  private static let first = Migration(version: 1, name: "one", sql: "CREATE TABLE one (a int); CREATE TABLE extra (a int)")
  private static let second = Migration(version: 2, name: "two", sql: "CREATE TABLE two (a int)")

  private func migrator(_ database: TestDatabase, _ migrations: [Migration]) -> Migrator {
    Migrator(migrations, connection: ConnectionConfiguration(conninfo: database.conninfo))
  }

  private func tables(_ database: TestDatabase) async throws -> [String] {
    try await database.pool.query(
      "SELECT tablename FROM pg_tables WHERE schemaname = 'public' AND tablename <> 'schema_migrations' ORDER BY 1"
    ) { try $0.value(0) }
  }

  private func failure(_ migrator: Migrator) async -> MigrationError? {
    await #expect(throws: MigrationError.self) { try await migrator.run() }
  }

  @Test func whatIsMissingIsAppliedInOrderAndOnlyOnce() async throws {
    try await withTestDatabase(.empty) { database in
      #expect(try await migrator(database, [Self.first]).run() == [Self.first])
      #expect(try await migrator(database, [Self.first, Self.second]).run() == [Self.second])
      #expect(try await migrator(database, [Self.first, Self.second]).run() == [])
      #expect(try await tables(database) == ["extra", "one", "two"])
    }
  }

  @Test func whatIsPendingIsToldWithoutChangingAnything() async throws {
    try await withTestDatabase(.empty) { database in
      #expect(try await migrator(database, [Self.first]).pending() == [Self.first])
      let isKnown = try await database.pool.queryFirst("SELECT to_regclass('schema_migrations') IS NULL") {
        try $0.value(0, as: Bool.self)
      }
      #expect(isKnown == true)
      try await migrator(database, [Self.first]).run()
      #expect(try await migrator(database, [Self.first, Self.second]).pending() == [Self.second])
    }
  }

  @Test func aChangedFileIsRefused() async throws {
    try await withTestDatabase(.empty) { database in
      try await migrator(database, [Self.first]).run()
      let changed = Migration(version: 1, name: "one", sql: Self.first.sql + " ")
      let error = await failure(migrator(database, [changed, Self.second]))
      #expect(error?.code == .changed)
      #expect(error?.description.contains("migration 1 (one)") == true)
      #expect(try await tables(database) == ["extra", "one"])
    }
  }

  @Test func aGapIsRefusedBeforeAnythingIsDone() async throws {
    try await withTestDatabase(.empty) { database in
      let third = Migration(version: 3, name: "three", sql: "CREATE TABLE three (a int)")
      #expect(await failure(migrator(database, [Self.first, third]))?.code == .gap)
      #expect(await failure(migrator(database, [Self.second]))?.code == .gap)
      #expect(try await tables(database) == [])
    }
  }

  @Test func aDatabaseNewerThanTheProgramIsRefused() async throws {
    try await withTestDatabase(.empty) { database in
      try await migrator(database, [Self.first, Self.second]).run()
      #expect(await failure(migrator(database, [Self.first]))?.code == .databaseNewer)
    }
  }

  @Test func aFailingFileLeavesNothingOfItselfAndKeepsThoseBefore() async throws {
    try await withTestDatabase(.empty) { database in
      let broken = Migration(version: 2, name: "broken", sql: "CREATE TABLE half (a int); CREATE TABLE one (a int)")
      let error = await failure(migrator(database, [Self.first, broken]))
      #expect(error?.code == .failed)
      #expect(error?.description.contains("migration 2 (broken)") == true)
      #expect(error?.description.contains(#"relation "one" already exists"#) == true)
      #expect(try await tables(database) == ["extra", "one"])
      #expect(try await migrator(database, [Self.first, Self.second]).run() == [Self.second])
    }
  }

  @Test func aFileThatEndsItsTransactionIsReported() async throws {
    try await withTestDatabase(.empty) { database in
      let ending = Migration(version: 1, name: "ending", sql: "CREATE TABLE one (a int); COMMIT")
      #expect(await failure(migrator(database, [ending]))?.code == .failed)
    }
  }

  @Test func aFileMayAskToRunWithoutATransaction() async throws {
    try await withTestDatabase(.empty) { database in
      let index = Migration(
        version: 2, name: "index", sql: "-- no transaction\nCREATE INDEX CONCURRENTLY IF NOT EXISTS one_a ON one (a)")
      try await migrator(database, [Self.first, index]).run()
      let indexes = try await database.pool.query("SELECT indexname FROM pg_indexes WHERE tablename = 'one'") {
        try $0.value(0, as: String.self)
      }
      #expect(indexes == ["one_a"])
    }
  }

  @Test func ofSeveralMigratorsAtOnceEachFileIsAppliedByOne() async throws {
    try await withTestDatabase(.empty) { database in
      // The index waits for every open transaction: a migrator waiting inside the server would be one.
      let migrations = [
        Self.first,
        Migration(version: 2, name: "index", sql: "-- no transaction\nCREATE INDEX CONCURRENTLY one_a ON one (a)"),
        Migration(version: 3, name: "slow", sql: "SELECT pg_sleep(0.2)"),
      ]
      let applied = try await withThrowingTaskGroup(of: [Migration].self) { group in
        for _ in 0..<4 { group.addTask { try await migrator(database, migrations).run() } }
        return try await group.reduce(into: []) { $0 += $1 }
      }
      #expect(applied.sorted { $0.version < $1.version } == migrations)
    }
  }

  @Test func waitingForAnotherMigratorEnds() async throws {
    try await withTestDatabase(.empty) { database in
      try await database.pool.withConnection { connection in
        try await connection.executeScript("SELECT pg_advisory_lock(x'626f6c72616368'::bigint)")
        var migrator = migrator(database, [Self.first])
        migrator.lockTimeout = .milliseconds(150)
        #expect(await failure(migrator)?.code == .locked)
        try await connection.executeScript("SELECT pg_advisory_unlock_all()")
      }
    }
  }

  @Test func aTransactionPoolerIsRefused() async throws {
    try await withTestDatabase(.empty) { database in
      var configuration = ConnectionConfiguration(conninfo: database.conninfo)
      configuration.route = .transactionPooler
      #expect(await failure(Migrator([Self.first], connection: configuration))?.code == .poolerInBetween)
    }
  }
}

@Suite struct MigrationFileTests {
  private func withDirectory(_ files: [String: String], _ body: (String) throws -> Void) throws {
    var template = Array("/tmp/bolrach-migrations-XXXXXX".utf8CString)
    let directory = String(cString: try #require(mkdtemp(&template)))
    defer {
      for file in files.keys { unlink(directory + "/" + file) }
      rmdir(directory)
    }
    for (name, text) in files {
      let file = try #require(fopen(directory + "/" + name, "w"))
      fputs(text, file)
      fclose(file)
    }
    try body(directory)
  }

  @Test func numberedFilesAreReadInOrderAndOthersLeftAlone() throws {
    try withDirectory(["0002_b_c.sql": "two", "0001_a.sql": "one", "schema.sql": "x", "README.md": "y"]) { directory in
      #expect(
        try Migration.read(directory: directory) == [
          Migration(version: 1, name: "a", sql: "one"), Migration(version: 2, name: "b_c", sql: "two"),
        ])
    }
  }

  @Test(arguments: ["1_a.sql", "00001_a.sql", "0001_.sql", "0001.sql", "0001_a.txt"])
  func aNumberedFileWithAnotherNameIsRefused(_ name: String) throws {
    try withDirectory([name: "x"]) { directory in
      let error = #expect(throws: MigrationError.self) { try Migration.read(directory: directory) }
      #expect(error?.code == .unreadable)
      #expect(error?.description.contains(name) == true)
    }
  }

  @Test func aMissingDirectoryIsNamed() {
    let error = #expect(throws: MigrationError.self) { try Migration.read(directory: "/nonexistent/here") }
    #expect(error?.description.contains("/nonexistent/here") == true)
  }
}

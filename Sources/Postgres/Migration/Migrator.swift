/// Brings a database's schema up to date, one migrator at a time.
///
/// A value; `run` opens a connection of its own and closes it. What was applied is noted in `schema_migrations` with a
/// SHA-256 of the file, which the server itself computes.
package struct Migrator: Sendable {
  private let migrations: [Migration]
  private let connection: ConnectionConfiguration
  /// How long to wait for another migrator.
  package var lockTimeout = Duration.seconds(300)

  /// "bolrach" in ASCII. Advisory locks are per database.
  private static let lockKey: Int64 = 0x62_6f6c_7261_6368

  /// - Parameter migrationTimeout: for each file; an index on a large table takes its time.
  package init(
    _ migrations: [Migration], connection: ConnectionConfiguration, migrationTimeout: Duration = .seconds(3600)
  ) {
    var connection = connection
    connection.queryTimeout = migrationTimeout
    connection.statementTimeout = migrationTimeout
    self.migrations = migrations
    self.connection = connection
  }

  /// Applies what is missing, each file in a transaction of its own; returns what was applied. Throws `MigrationError`, or
  /// `PostgresError` when the database cannot be reached.
  @discardableResult
  package func run() async throws -> [Migration] {
    try requireNoGaps()
    return try await withLockedConnection { connection in
      let pending = try await pending(connection)
      for migration in pending { try await apply(migration, connection) }
      return pending
    }
  }

  /// What `run` would apply; nothing is changed. Throws what `run` would about files and database not fitting together.
  package func pending() async throws -> [Migration] {
    try requireNoGaps()
    return try await withConnection { connection in
      let isKnown = try await connection.queryFirst("SELECT to_regclass('schema_migrations') IS NOT NULL") {
        try $0.value(0, as: Bool.self)
      }
      return isKnown == true ? try await pending(connection) : migrations
    }
  }

  private func requireNoGaps() throws(MigrationError) {
    for (index, migration) in migrations.enumerated() where migration.version != index + 1 {
      throw MigrationError(.gap, "migration \(index + 1) is missing; the next file is \(migration.version)")
    }
  }

  // MARK: Connection and lock

  private func withConnection<Value: Sendable>(
    _ body: (PostgresConnection) async throws -> Value
  ) async throws -> Value {
    let connection = try await PostgresConnection.connect(connection)
    do {
      let value = try await body(connection)
      await connection.close()
      return value
    } catch {
      await connection.close()
      throw error
    }
  }

  private func withLockedConnection<Value: Sendable>(
    _ body: (PostgresConnection) async throws -> Value
  ) async throws -> Value {
    switch connection.route {
    case .direct: break
    case .transactionPooler:
      throw MigrationError(.poolerInBetween, "migrations need a direct connection to PostgreSQL, not through a pooler")
    }
    return try await withConnection { connection in
      try await lock(connection)
      // The session's end releases the lock.
      return try await body(connection)
    }
  }

  /// Asks again and again instead of waiting inside the server: a waiting statement is an open transaction, which a
  /// CREATE INDEX CONCURRENTLY of the lock's holder would wait for.
  private func lock(_ connection: PostgresConnection) async throws {
    let deadline = ContinuousClock.now + lockTimeout
    while true {
      let isLocked = try await connection.queryFirst("SELECT pg_try_advisory_lock(\(Self.lockKey))") {
        try $0.value(0, as: Bool.self)
      }
      if isLocked == true { break }
      guard .now < deadline else { throw MigrationError(.locked, "another process is migrating this database") }
      try await Task.sleep(for: .milliseconds(100))
    }
    // A migration that waits for a table's lock stops everyone who comes after it: rather fail and be repeated.
    try await connection.executeScript(
      """
      SET lock_timeout = '15s';
      SET client_min_messages = 'warning';
      CREATE TABLE IF NOT EXISTS schema_migrations (
        version int PRIMARY KEY,
        name text NOT NULL,
        checksum bytea NOT NULL,
        applied_at timestamptz NOT NULL DEFAULT now()
      )
      """)
  }

  // MARK: Comparing and applying

  private struct Applied: Sendable {
    let version: Int
    let name: String
    let checksum: [UInt8]
  }

  private func pending(_ connection: PostgresConnection) async throws -> [Migration] {
    let applied = try await connection.query("SELECT version, name, checksum FROM schema_migrations ORDER BY version") {
      Applied(version: try $0.value(0), name: try $0.value(1), checksum: try $0.value(2))
    }
    guard applied.count <= migrations.count, applied.map(\.version) == Array(1..<applied.count + 1) else {
      throw MigrationError(
        .databaseNewer,
        "the database is at migration \(applied.last?.version ?? 0), this program knows \(migrations.count); "
          + "start a newer program")
    }
    let checksums = try await checksums(connection)
    for (index, applied) in applied.enumerated() {
      guard applied.name == migrations[index].name, applied.checksum == checksums[index] else {
        throw MigrationError(
          .changed,
          "migration \(applied.version) (\(applied.name)) was changed after it had been applied; "
            + "put the file back and add a new one")
      }
    }
    return Array(migrations.dropFirst(applied.count))
  }

  private func checksums(_ connection: PostgresConnection) async throws -> [[UInt8]] {
    try await connection.query(
      """
      SELECT sha256(file)
      FROM unnest(\(migrations.map { Array($0.sql.utf8) })) WITH ORDINALITY AS files (file, position)
      ORDER BY position
      """
    ) { try $0.value(0) }
  }

  private func apply(_ migration: Migration, _ connection: PostgresConnection) async throws {
    do {
      guard migration.runsInTransaction else {
        try await connection.executeScript(migration.sql)
        return try await note(migration, connection)
      }
      try await connection.withTransaction { connection in
        try await connection.executeScript(migration.sql)
        try await note(migration, connection)
      }
    } catch let error as PostgresError {
      throw MigrationError(migration, error)
    }
  }

  private func note(_ migration: Migration, _ connection: PostgresConnection) async throws {
    try await connection.execute(
      """
      INSERT INTO schema_migrations (version, name, checksum)
      VALUES (\(Int32(migration.version)), \(migration.name), sha256(\(Array(migration.sql.utf8))))
      """)
  }
}

internal import Glibc
package import Postgres
internal import ServiceKit

/// A database of its own for one test or suite, on this process's test server.
///
/// Owned by the test; `withTestDatabase` drops it afterwards, `make` leaves that to `drop()` (or to the end of the
/// process, when the server is the private one). Safe from any task.
package final class TestDatabase: Sendable {
  package enum Content: Sendable {
    /// A clone of a database to which `migrations/` has been applied once in this process.
    case migrated
    case empty
  }

  package let name: String
  package let conninfo: String
  /// Four connections, opened when needed.
  package let pool: ConnectionPool
  private let server: TestServerAccess

  private init(name: String, server: TestServerAccess) {
    self.name = name
    self.server = server
    conninfo = server.administration.with(database: name).conninfo.exposed
    var configuration = PoolConfiguration(conninfo: conninfo)
    configuration.maximumConnections = 4
    // Many tests share two cores: what is late here is late because of the others.
    configuration.acquireTimeout = .seconds(30)
    configuration.connection.queryTimeout = .seconds(30)
    pool = ConnectionPool(configuration)
  }

  package static func make(_ content: Content = .migrated) async throws -> TestDatabase {
    let server = try await TestServer.shared.access()
    let database = TestDatabase(name: TestDatabaseName.make(), server: server)
    switch content {
    case .empty: try await server.create(database.name, template: "template0")
    case .migrated: try await server.create(database.name, template: try await MigratedTemplate.shared.name(on: server))
    }
    return database
  }

  /// Closes the pool and drops the database; other sessions in it are ended.
  package func drop() async throws {
    await pool.close()
    try await server.drop(name)
  }
}

/// Runs `body` with a database that exists only for it.
nonisolated(nonsending) package func withTestDatabase<Result>(
  _ content: TestDatabase.Content = .migrated,
  _ body: nonisolated(nonsending) (TestDatabase) async throws -> Result
) async throws -> Result {
  let database = try await TestDatabase.make(content)
  do {
    let result = try await body(database)
    try await database.drop()
    return result
  } catch {
    // The test's own error is the one to show.
    try? await database.drop()
    throw error
  }
}

/// Names that no other process uses on a shared server.
enum TestDatabaseName {
  static func make() -> String {
    "bolrach_test_\(getpid())_" + String(UInt64.random(in: .min ... .max), radix: 36)
  }
}

/// The database that `.migrated` clones, made once per process.
actor MigratedTemplate {
  static let shared = MigratedTemplate()

  private var making: Task<String, any Error>?

  func name(on server: TestServerAccess) async throws -> String {
    if let making { return try await making.value }
    let task = Task { try await Self.make(on: server) }
    making = task
    return try await task.value
  }

  private static func make(on server: TestServerAccess) async throws -> String {
    let name = TestDatabaseName.make()
    try await server.create(name, template: "template0")
    let conninfo = server.administration.with(database: name).conninfo.exposed
    let migrations = try Migration.read(directory: directory)
    try await Migrator(migrations, connection: ConnectionConfiguration(conninfo: conninfo)).run()
    return name
  }

  /// `migrations/` beside `Sources/`.
  private static var directory: String {
    var path = #filePath[...]
    for _ in 0..<3 { path = path[..<(path.lastIndex(of: "/") ?? path.startIndex)] }
    return path + "/migrations"
  }
}

extension TestServerAccess {
  /// Names are made here, of letters, digits and underscores.
  func create(_ name: String, template: String) async throws {
    try await pool.withConnection { connection in
      try await connection.executeScript("CREATE DATABASE \(name) TEMPLATE \(template) STRATEGY file_copy")
    }
  }

  func drop(_ name: String) async throws {
    try await pool.withConnection { connection in
      try await connection.executeScript("DROP DATABASE IF EXISTS \(name) WITH (FORCE)")
    }
  }
}

internal import EmbeddedPostgres
internal import Glibc
internal import Postgres
internal import ServiceKit

/// The database: somebody else's, or a private cluster that starts and stops with the process; with its schema up to date.
final class DatabaseService: Service {
  enum Schema: Sendable {
    /// Bring it up to date.
    case migrate
    /// Refuse to start unless it is: with several processes one of them migrates, as a step of its own.
    case require
  }

  let name = "database"
  let conninfo = Started<String>()
  private let settings: ServerSettings
  private let files: ProductFiles
  private let schema: Schema
  private let log: Log
  private let cluster = Started<EmbeddedCluster>()

  init(settings: ServerSettings, files: ProductFiles, schema: Schema, log: Log) {
    self.settings = settings
    self.files = files
    self.schema = schema
    self.log = log
  }

  func start() async throws {
    switch settings.database {
    case .external(let url): conninfo.set(url.exposed)
    case .embedded:
      var configuration = EmbeddedConfiguration()
      configuration.directory = settings.dataDirectory + "/postgres"
      let started = try await EmbeddedCluster.start(configuration)
      cluster.set(started)
      conninfo.set(started.conninfo)
    }
    do {
      try await prepareSchema()
    } catch {
      // This start has failed, so nobody will stop us.
      await cluster.ifStarted?.stop()
      throw error
    }
  }

  func run() async throws {
    guard let cluster = cluster.ifStarted else { return try await Task.sleep(for: .seconds(86_400 * 365)) }
    await cluster.waitUntilEnded()
    throw StartError("the private PostgreSQL has ended; its log is in \(cluster.logDirectory)")
  }

  func stop() async -> Bool {
    await cluster.ifStarted?.stop()
    return true
  }

  private func prepareSchema() async throws {
    let migrator = Migrator(
      try Migration.read(directory: files.migrations), connection: ConnectionConfiguration(conninfo: conninfo.value))
    switch schema {
    case .migrate:
      for migration in try await migrator.run() {
        log.info("migration.applied", ["version": .integer(migration.version), "name": .text(migration.name)])
      }
    case .require:
      let pending = try await migrator.pending()
      guard pending.isEmpty else {
        throw StartError("the database's schema is \(pending.count) migrations behind: run bolrach migrate")
      }
    }
  }
}

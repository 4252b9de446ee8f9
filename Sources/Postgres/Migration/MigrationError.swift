internal import ServiceKit

/// Why the schema could not be brought up to date. `description` is written for the operator; migrations hold no
/// customer's data, so it may quote the server.
package struct MigrationError: Error, Sendable, CustomStringConvertible {
  package enum Code: Sendable, Equatable {
    case unreadable
    /// The files' versions are not 1, 2, 3, ...
    case gap
    /// A file differs from what was applied under its version.
    case changed
    /// The database has migrations that this program does not know.
    case databaseNewer
    /// Another migrator did not finish in time.
    case locked
    case failed
    /// Session locks need a session: not through a transaction pooler.
    case poolerInBetween
  }

  package let code: Code
  package let description: String

  init(_ code: Code, _ description: String) {
    self.code = code
    self.description = description
  }

  init(_ migration: Migration, _ error: PostgresError) {
    let said = error.serverMessage.map { ": " + $0.exposed } ?? ""
    self.init(.failed, "migration \(migration.version) (\(migration.name)) failed, \(error)\(said)")
  }
}

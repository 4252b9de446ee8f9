/// Where the private cluster lives and how it is run.
///
/// A value.
package struct EmbeddedConfiguration: Sendable {
  package enum Durability: Sendable {
    case full
    /// Nothing survives a crash of the machine: for tests only.
    case none
  }

  /// Everything of the cluster: `data`, `log`, `socket`, the lock. Made when missing; belongs to nobody else.
  package var directory = ".bolrach/postgres"
  package var databaseName = "bolrach"
  package var userName = "bolrach"
  package var maximumConnections = 60
  package var durability = Durability.full
  /// Covers crash recovery of a large write-ahead log.
  package var startTimeout = Duration.seconds(60)
  /// For a fast shutdown; then an immediate one.
  package var stopTimeout = Duration.seconds(10)

  package init() {}
}

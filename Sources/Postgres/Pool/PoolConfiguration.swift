/// The size of a pool and its patience.
///
/// A value.
package struct PoolConfiguration: Sendable {
  /// Beyond about 20 connections PostgreSQL gains nothing and every one costs a thread here and a process there.
  package static let maximumConnectionsLimit = 20

  package var connection: ConnectionConfiguration
  /// At most `maximumConnectionsLimit`, at least 1.
  package var maximumConnections = 8
  /// Callers beyond this number are refused at once.
  package var maximumWaiters = 1024
  /// How long a caller waits for a connection when its own deadline is later or absent.
  package var acquireTimeout = Duration.seconds(5)
  /// The first pause after a failed connection attempt; doubled up to `maximumBackoff`, with jitter.
  package var initialBackoff = Duration.milliseconds(50)
  package var maximumBackoff = Duration.seconds(2)

  package init(connection: ConnectionConfiguration) {
    self.connection = connection
  }

  package init(conninfo: String) {
    self.init(connection: ConnectionConfiguration(conninfo: conninfo))
  }
}

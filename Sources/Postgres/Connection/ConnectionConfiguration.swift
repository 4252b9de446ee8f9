package import ServiceKit

/// How to reach the server and how long to wait for it.
///
/// A value, shared by every connection of a pool.
package struct ConnectionConfiguration: Sendable {
  /// What stands between us and the server.
  package enum Route: Sendable {
    case direct
    /// PgBouncer in transaction mode: no prepared statements and no session settings (set `statement_timeout` on the
    /// role instead), since the next transaction may run in another session.
    case transactionPooler
  }

  /// A libpq URL or key/value string; several hosts and `target_session_attrs` are libpq's own business.
  package var conninfo: Secret<String>
  package var applicationName = "bolrach"
  package var route = Route.direct
  /// Per host and address; libpq's `connect_timeout`, whole seconds, at least 2.
  package var connectTimeout = Duration.seconds(5)
  /// The deadline of a statement that is given none.
  package var queryTimeout = Duration.seconds(10)
  /// The server's own limit, for the case that our cancellation does not reach it.
  package var statementTimeout = Duration.seconds(60)
  /// How long the server lets a transaction wait for our next statement before it ends the session.
  package var idleInTransactionTimeout = Duration.seconds(60)
  /// After a deadline or a cancellation: how long the server may take to acknowledge before the connection is given up.
  package var cancelGrace = Duration.seconds(2)
  /// Prepared statements kept per connection; the least recently used goes first.
  package var statementCacheCapacity = 256

  package init(conninfo: String) {
    self.conninfo = Secret(conninfo)
  }
}

import Postgres
import Testing

/// Asks again until `condition` holds; fails the test after 20 s. For states of the server that nobody announces.
func eventually(
  _ what: Comment, sourceLocation: SourceLocation = #_sourceLocation, _ condition: () async throws -> Bool
) async throws {
  let deadline = ContinuousClock.now + .seconds(20)
  while try await !condition() {
    try #require(.now < deadline, what, sourceLocation: sourceLocation)
    try await Task.sleep(for: .milliseconds(2))
  }
}

/// Looks at a database's sessions from a session of its own.
struct Observer {
  private let pool: ConnectionPool

  init(_ conninfo: String) {
    var configuration = PoolConfiguration(conninfo: conninfo)
    configuration.maximumConnections = 1
    pool = ConnectionPool(configuration)
  }

  /// `pg_stat_activity.state`: active, idle, ...; nil when the session is gone.
  func state(of pid: Int32) async throws -> String? {
    try await pool.queryFirst("SELECT state FROM pg_stat_activity WHERE pid = \(pid)") {
      try $0.optional(0, as: String.self)
    } ?? nil
  }

  /// Other sessions of this database in that state.
  func count(of state: String) async throws -> Int {
    try await pool.queryFirst(
      """
      SELECT count(*) FROM pg_stat_activity
      WHERE state = \(state) AND datname = current_database() AND pid <> pg_backend_pid()
      """
    ) { try $0.value(0, as: Int.self) } ?? 0
  }

  /// Ends the session and waits until it is gone.
  func terminate(_ pid: Int32) async throws {
    _ = try await pool.query("SELECT pg_terminate_backend(\(pid), 10000)") { try $0.value(0, as: Bool.self) }
  }
}

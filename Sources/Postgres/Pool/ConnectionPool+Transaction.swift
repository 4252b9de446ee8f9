extension ConnectionPool {
  /// Runs `body` in a transaction on a pooled connection.
  ///
  /// When the server rolls back because of a conflict (40001, 40P01) `body` runs again, on any connection, up to `retries`
  /// times with growing, random pauses; so it must have no effect but its statements. Nothing else is retried.
  ///
  /// - Parameter deadline: for getting the connection, each time; by default `acquireTimeout` from then.
  nonisolated(nonsending) package func withTransaction<Result>(
    _ isolation: IsolationLevel = .readCommitted,
    retries: Int = 5,
    deadline: ContinuousClock.Instant? = nil,
    _ body: nonisolated(nonsending) (PostgresConnection) async throws -> Result
  ) async throws -> Result {
    var attempt = 0
    while true {
      do {
        return try await withConnection(deadline: deadline) { connection in
          try await connection.withTransaction(isolation, body)
        }
      } catch let error as PostgresError where error.isRetryableConflict && attempt < retries {
        attempt += 1
        try await Task.sleep(for: .milliseconds(5 << attempt) * Double.random(in: 0.2...1))
      }
    }
  }
}

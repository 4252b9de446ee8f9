/// What can run statements: a connection, or a pool that takes one for each.
package protocol PostgresQuerying: Sendable {
  /// Runs one statement and decodes its rows on the connection's thread, without an intermediate copy.
  ///
  /// The whole result is held in memory until decoded: bound it with LIMIT. Throws `PostgresError`, what `decode` throws, or
  /// `CancellationError` when the task was cancelled and the server stopped the statement.
  func query<Value: Sendable>(
    _ query: Query, deadline: ContinuousClock.Instant?, decode: @Sendable (borrowing RowReader) throws -> Value
  ) async throws -> [Value]

  /// Runs one statement; the number of rows it changed.
  @discardableResult
  func execute(_ query: Query, deadline: ContinuousClock.Instant?) async throws -> Int
}

extension PostgresQuerying {
  /// With the configuration's `queryTimeout` as deadline.
  package func query<Value: Sendable>(
    _ query: Query, decode: @Sendable (borrowing RowReader) throws -> Value
  ) async throws -> [Value] {
    try await self.query(query, deadline: nil, decode: decode)
  }

  /// With the configuration's `queryTimeout` as deadline.
  @discardableResult
  package func execute(_ query: Query) async throws -> Int {
    try await execute(query, deadline: nil)
  }

  /// The first row, or nil when there is none.
  package func queryFirst<Value: Sendable>(
    _ query: Query, deadline: ContinuousClock.Instant? = nil,
    decode: @Sendable (borrowing RowReader) throws -> Value
  ) async throws -> Value? {
    try await self.query(query, deadline: deadline, decode: decode).first
  }
}

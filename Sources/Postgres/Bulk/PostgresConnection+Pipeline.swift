extension PostgresConnection {
  /// The most statements in one call: all their results are held until it returns.
  package static let maximumPipelineLength = 10_000

  /// Sends all statements at once and runs them in one transaction (the one that is open, or one of their own): all
  /// or nothing, one round trip, one commit. Throws the first statement's error.
  package func pipeline<Value: Sendable>(
    _ queries: [Query], deadline: ContinuousClock.Instant? = nil,
    decode: @Sendable (borrowing RowReader) throws -> Value
  ) async throws -> [StatementOutcome<Value>] {
    guard !queries.isEmpty else { return [] }
    return try await perform(deadline) { session, operation in
      try session.runTogether(queries, &operation, decode)
    }
  }

  /// Sends all statements at once and runs each in a transaction of its own: one that fails reports its error in its
  /// place and leaves the others alone. Not inside a transaction.
  ///
  /// When the call itself throws (deadline, lost connection) the statements may have been committed or not.
  package func pipelineSeparately<Value: Sendable>(
    _ queries: [Query], flush: PipelineFlush = .together, deadline: ContinuousClock.Instant? = nil,
    decode: @Sendable (borrowing RowReader) throws -> Value
  ) async throws -> [Result<StatementOutcome<Value>, PostgresError>] {
    guard !queries.isEmpty else { return [] }
    return try await perform(deadline) { session, operation in
      try session.runSeparately(queries, flush, &operation, decode)
    }
  }
}

extension ConnectionPool {
  /// `PostgresConnection.pipeline` on a pooled connection.
  package func pipeline<Value: Sendable>(
    _ queries: [Query], deadline: ContinuousClock.Instant? = nil,
    decode: @Sendable (borrowing RowReader) throws -> Value
  ) async throws -> [StatementOutcome<Value>] {
    try await withConnection { try await $0.pipeline(queries, deadline: deadline, decode: decode) }
  }

  /// `PostgresConnection.pipelineSeparately` on a pooled connection.
  package func pipelineSeparately<Value: Sendable>(
    _ queries: [Query], flush: PipelineFlush = .together, deadline: ContinuousClock.Instant? = nil,
    decode: @Sendable (borrowing RowReader) throws -> Value
  ) async throws -> [Result<StatementOutcome<Value>, PostgresError>] {
    try await withConnection {
      try await $0.pipelineSeparately(queries, flush: flush, deadline: deadline, decode: decode)
    }
  }
}

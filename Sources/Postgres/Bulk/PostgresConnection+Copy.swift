extension PostgresConnection {
  /// Copies rows into a table in binary format: the fastest way in. Inside an open transaction it is part of it, otherwise
  /// all rows or none.
  ///
  /// `rows` runs on the connection's thread and must not wait for anything. A duplicate key fails the whole COPY.
  /// Returns the number of rows.
  @discardableResult
  package func copyIn(
    into table: StaticString, columns: [StaticString], deadline: ContinuousClock.Instant? = nil,
    rows: @Sendable (inout CopyWriter) throws -> Void
  ) async throws -> Int {
    let list = columns.map(\.description).joined(separator: ", ")
    let statement = "COPY \(table) (\(list)) FROM STDIN (FORMAT binary)"
    return try await perform(deadline) { session, operation in
      try session.copyIn(statement, columnCount: columns.count, &operation, rows)
    }
  }
}

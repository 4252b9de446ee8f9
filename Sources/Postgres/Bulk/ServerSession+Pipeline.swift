internal import CLibPQ

/// Pipelines: many statements in one round trip.
extension ServerSession {
  enum PipelineBoundary {
    /// One Sync at the end: one transaction.
    case oneTransaction
    /// A Sync after every statement: a transaction each.
    case eachStatement
    /// As `eachStatement`, but the commits do not wait for the log. After them comes a transaction that writes something
    /// and does wait; the log is flushed in order, so with it everything before it is durable.
    case eachStatementOneFlush
  }

  /// How a statement is sent.
  private enum Dispatch {
    case prepared(String)
    case text
    /// It could not even be prepared; it is not sent.
    case refused(PostgresError)
  }

  private static let beforeOneFlush: [Query] = ["SET synchronous_commit = off"]
  private static let afterOneFlush: [Query] = [
    "RESET synchronous_commit", "SELECT pg_logical_emit_message(true, 'flush', '')",
  ]

  /// All statements in one transaction; the first error is thrown.
  func runTogether<Value>(
    _ queries: [Query], _ operation: inout Operation, _ decode: (borrowing RowReader) throws -> Value
  ) throws -> [StatementOutcome<Value>] {
    let results = try runPipeline(queries, .oneTransaction, &operation, decode)
    return try results.map { result in
      switch result {
      case .success(let outcome): outcome
      case .failure(let error): throw stopped(operation, otherwise: error)
      }
    }
  }

  func runSeparately<Value>(
    _ queries: [Query], _ flush: PipelineFlush, _ operation: inout Operation,
    _ decode: (borrowing RowReader) throws -> Value
  ) throws -> [Result<StatementOutcome<Value>, PostgresError>] {
    try requireUsable()
    guard handle.transactionStatus == PQTRANS_IDLE else {
      throw PostgresError(.misuse, reason: "separate transactions inside a transaction")
    }
    let isOneFlush = flush == .together && configuration.route == .direct && queries.count > 1
    return try runPipeline(queries, isOneFlush ? .eachStatementOneFlush : .eachStatement, &operation, decode)
  }

  private func runPipeline<Value>(
    _ queries: [Query], _ boundary: PipelineBoundary, _ operation: inout Operation,
    _ decode: (borrowing RowReader) throws -> Value
  ) throws -> [Result<StatementOutcome<Value>, PostgresError>] {
    guard queries.count <= PostgresConnection.maximumPipelineLength else {
      throw PostgresError(.limitExceeded, reason: "a pipeline of \(queries.count) statements")
    }
    let dispatches = try dispatches(for: queries, boundary, &operation)
    try requireUsable()
    guard PQenterPipelineMode(handle.raw) == 1 else { throw sendFailure() }
    var decodeFailure: (any Error)?
    let results: [Result<StatementOutcome<Value>, PostgresError>]
    do throws(PostgresError) {
      try sendAll(queries, dispatches, boundary)
      results = try readAll(dispatches, boundary, &operation) { result in
        do {
          return StatementOutcome(rows: try result.decodeRows(decode), affectedRows: result.affectedRows)
        } catch {
          decodeFailure = decodeFailure ?? error
          return StatementOutcome(rows: [], affectedRows: 0)
        }
      }
      guard PQexitPipelineMode(handle.raw) == 1 else { throw lost() }
    } catch {
      // Statements are under way whose results nobody has read, or `synchronous_commit` may still be off.
      markBroken()
      throw stopped(operation, otherwise: error)
    }
    settle(&operation)
    if let decodeFailure { throw decodeFailure }
    return results
  }

  // MARK: Sending

  /// Prepares what is not prepared yet, so that a failure to do so is the failure of that statement alone.
  private func dispatches(
    for queries: [Query], _ boundary: PipelineBoundary, _ operation: inout Operation
  ) throws -> [Dispatch] {
    switch configuration.route {
    case .transactionPooler: return queries.map { _ in .text }
    case .direct: break
    }
    let keys = queries.map { StatementCache.Key(sql: $0.sql, types: $0.binds.types) }
    let distinct = Set(keys)
    guard distinct.count <= configuration.statementCacheCapacity else { return queries.map { _ in .text } }
    // Looking all of them up first marks them as used: preparing one then evicts none of the others.
    var dispatches: [StatementCache.Key: Dispatch] = [:]
    for key in distinct { dispatches[key] = statements.name(for: key).map { .prepared($0) } }
    for key in keys where dispatches[key] == nil {
      do {
        dispatches[key] = .prepared(try prepare(key, &operation))
      } catch let error as PostgresError where error.sqlState != nil && boundary != .oneTransaction {
        dispatches[key] = .refused(error)
      }
    }
    return keys.map { dispatches[$0] ?? .text }
  }

  private func sendAll(
    _ queries: [Query], _ dispatches: [Dispatch], _ boundary: PipelineBoundary
  ) throws(PostgresError) {
    if boundary == .eachStatementOneFlush { try sendFrame(Self.beforeOneFlush) }
    for (query, dispatch) in zip(queries, dispatches) {
      switch dispatch {
      case .prepared(let name): try send(query, name: name)
      case .text: try send(unprepared: query)
      case .refused: continue
      }
      if boundary != .oneTransaction { try sendSync() }
    }
    if boundary == .oneTransaction { try sendSync() }
    if boundary == .eachStatementOneFlush { try sendFrame(Self.afterOneFlush) }
  }

  private func sendFrame(_ queries: [Query]) throws(PostgresError) {
    for query in queries {
      try send(unprepared: query)
      try sendSync()
    }
  }

  private func sendSync() throws(PostgresError) {
    guard PQpipelineSync(handle.raw) == 1 else { throw sendFailure() }
  }

  // MARK: Reading

  private func readAll<Value>(
    _ dispatches: [Dispatch], _ boundary: PipelineBoundary, _ operation: inout Operation,
    _ take: (borrowing ResultHandle) -> StatementOutcome<Value>
  ) throws(PostgresError) -> [Result<StatementOutcome<Value>, PostgresError>] {
    if boundary == .eachStatementOneFlush { try readFrame(Self.beforeOneFlush, &operation) }
    var results: [Result<StatementOutcome<Value>, PostgresError>] = []
    results.reserveCapacity(dispatches.count)
    for dispatch in dispatches {
      if case .refused(let error) = dispatch {
        results.append(.failure(error))
        continue
      }
      let result = try readOne(&operation, take)
      if case .prepared(let name) = dispatch, case .failure(let error) = result, error.isStaleStatement {
        statements.remove(name: name)
      }
      results.append(result)
      if boundary != .oneTransaction { try readSync(&operation) }
    }
    if boundary == .oneTransaction { try readSync(&operation) }
    if boundary == .eachStatementOneFlush { try readFrame(Self.afterOneFlush, &operation) }
    return results
  }

  /// The statements around the caller's have to succeed, or nothing is durable.
  private func readFrame(_ queries: [Query], _ operation: inout Operation) throws(PostgresError) {
    for _ in queries {
      let outcome: Result<StatementOutcome<Never>, PostgresError> = try readOne(&operation) { _ in
        StatementOutcome(rows: [], affectedRows: 0)
      }
      _ = try outcome.get()
      try readSync(&operation)
    }
  }

  /// Throws when the connection is lost; the statement's own error is a result.
  private func readOne<Value>(
    _ operation: inout Operation, _ take: (borrowing ResultHandle) -> StatementOutcome<Value>
  ) throws(PostgresError) -> Result<StatementOutcome<Value>, PostgresError> {
    var outcome: Result<StatementOutcome<Value>, PostgresError>?
    while let result = try nextResult(&operation) {
      switch result.status {
      case PGRES_PIPELINE_ABORTED:
        outcome = .failure(PostgresError(.transactionAborted))
      case PGRES_COMMAND_OK, PGRES_TUPLES_OK:
        outcome = .success(take(result))
      default:
        let error = result.failure() ?? PostgresError(.misuse, reason: "COPY needs copyIn")
        guard error.sqlState != nil, handle.isConnected else { throw error }
        outcome = .failure(error)
      }
    }
    guard let outcome else { throw lost() }
    return outcome
  }

  private func readSync(_ operation: inout Operation) throws(PostgresError) {
    guard let result = try nextResult(&operation), result.status == PGRES_PIPELINE_SYNC else { throw lost() }
  }
}

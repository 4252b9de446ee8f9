internal import CLibPQ
internal import ServiceKit

/// Single statements.
extension ServerSession {
  /// Runs one statement to its end. Prepared and cached where the route allows.
  func run(_ query: Query, _ operation: inout Operation) throws -> ResultHandle {
    switch configuration.route {
    case .transactionPooler:
      try send(unprepared: query)
      return try finish(&operation)
    case .direct:
      let key = StatementCache.Key(sql: query.sql, types: query.binds.types)
      let wasInTransaction = handle.transactionStatus != PQTRANS_IDLE
      try send(query, name: try prepare(key, &operation))
      do {
        return try finish(&operation)
      } catch let error as PostgresError where error.isStaleStatement {
        statements.remove(key)
        guard !wasInTransaction else { throw error }
        try send(query, name: try prepare(key, &operation))
        return try finish(&operation)
      }
    }
  }

  /// Runs statements without parameters, separated by semicolons, by the simple protocol.
  func run(script: String, _ operation: inout Operation) throws -> ResultHandle {
    try requireUsable()
    guard PQsendQuery(handle.raw, script) == 1 else { throw sendFailure() }
    return try finish(&operation)
  }

  /// The name of the prepared statement, preparing it first if need be.
  func prepare(_ key: StatementCache.Key, _ operation: inout Operation) throws -> String {
    if let name = statements.name(for: key) { return name }
    let name = statements.makeName()
    try requireUsable()
    let sent = key.types.withUnsafeBufferPointer {
      PQsendPrepare(handle.raw, name, key.sql, Int32($0.count), $0.baseAddress)
    }
    guard sent == 1 else { throw sendFailure() }
    _ = try finish(&operation)
    if let evicted = statements.insert(key, name: name) {
      _ = try run(script: "DEALLOCATE \(evicted)", &operation)
    }
    try requireRunning(operation)
    return name
  }

  func send(_ query: Query, name: String) throws(PostgresError) {
    try requireUsable()
    let sent = query.binds.withParameters {
      PQsendQueryPrepared(handle.raw, name, $0.count, $0.values, $0.lengths, $0.formats, 1)
    }
    guard sent == 1 else { throw sendFailure() }
  }

  func send(unprepared query: Query) throws(PostgresError) {
    try requireUsable()
    let sent = query.binds.withParameters {
      PQsendQueryParams(handle.raw, query.sql, $0.count, $0.types, $0.values, $0.lengths, $0.formats, 1)
    }
    guard sent == 1 else { throw sendFailure() }
  }

  /// Reads to the end of the results and returns the last one, or throws the first error.
  func finish(_ operation: inout Operation) throws -> ResultHandle {
    var last: ResultHandle?
    var failure: PostgresError?
    do throws(PostgresError) {
      while let result = try nextResult(&operation) {
        if let error = result.failure() { failure = failure ?? error }
        if isCopy(result.status) { throw refuseCopy() }
        last = consume result
      }
    } catch {
      settle(&operation)
      throw stopped(operation, otherwise: error)
    }
    settle(&operation)
    if let failure { throw stopped(operation, otherwise: failure) }
    guard let last else { throw PostgresError(.misuse, reason: "no result") }
    return last
  }

  /// What the caller is told about a failed operation: a stop it asked for is reported as such.
  func stopped(_ operation: Operation, otherwise error: PostgresError) -> any Error {
    if !handle.isConnected { markBroken() }
    let isEffectOfStop = error.sqlState == .queryCanceled || error.code == .deadlineExceeded
    guard isEffectOfStop else { return error.sqlState == nil && isBroken ? error : lostIfShutdown(error) }
    switch operation.phase {
    case .stopping(.cancellation, _): return CancellationError()
    case .stopping(.deadline, _), .running: return PostgresError(.deadlineExceeded, reason: error.reason)
    }
  }

  /// A server that says goodbye (57P01-57P03 and the like) and closes is a lost connection with a better reason.
  private func lostIfShutdown(_ error: PostgresError) -> PostgresError {
    guard !handle.isConnected, let state = error.sqlState else { return error }
    return PostgresError(.connectionLost, reason: "the server ended the session (\(state))")
  }

  private func isCopy(_ status: ExecStatusType) -> Bool {
    status == PGRES_COPY_IN || status == PGRES_COPY_OUT || status == PGRES_COPY_BOTH
  }

  /// COPY through `query` would wait for ever for data.
  private func refuseCopy() -> PostgresError {
    markBroken()
    return PostgresError(.misuse, reason: "COPY needs copyIn")
  }

  func requireUsable() throws(PostgresError) {
    guard isUsable else { throw PostgresError(.connectionLost) }
  }

  /// Between two steps of one operation: a stop that came too late for the first must not lead into the second.
  func requireRunning(_ operation: Operation) throws {
    switch operation.phase {
    case .running: return
    case .stopping(.cancellation, _): throw CancellationError()
    case .stopping(.deadline, _): throw PostgresError(.deadlineExceeded)
    }
  }

  func sendFailure() -> PostgresError {
    let failure = handle.failure()
    if !handle.isConnected { markBroken() }
    return failure
  }
}

extension PostgresError {
  /// The prepared statement no longer fits: a table changed under it, or someone discarded it.
  var isStaleStatement: Bool {
    guard sqlState != .invalidStatementName else { return true }
    return sqlState == .featureNotSupported && serverMessage?.exposed == "cached plan must not change result type"
  }
}

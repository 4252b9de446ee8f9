internal import CLibPQ
internal import CLinux
internal import Glibc

/// The synchronous driver of one connection: sends, waits within a deadline, cancels, reads.
///
/// Owned by a `PostgresConnection` or a `NotificationListener` and used on its thread only; the connection is closed
/// with it. After a failure that leaves the protocol in doubt it is broken and refuses everything.
final class ServerSession {
  let handle: ConnectionHandle
  let configuration: ConnectionConfiguration
  let interrupt: Interrupt
  var statements: StatementCache
  private var lastOperation: UInt64 = 0
  private(set) var isBroken = false
  private let thread = pthread_self()

  /// Blocks while connecting.
  init(connecting configuration: ConnectionConfiguration, interrupt: Interrupt) throws {
    self.configuration = configuration
    self.interrupt = interrupt
    statements = StatementCache(capacity: configuration.statementCacheCapacity)
    handle = try ConnectionHandle(connecting: configuration)
    try applySettings()
  }

  private func applySettings() throws {
    switch configuration.route {
    case .transactionPooler: return
    case .direct: break
    }
    let settings: Query = """
      SELECT set_config('statement_timeout', \(configuration.statementTimeout.postgresMilliseconds), false),
             set_config('idle_in_transaction_session_timeout',
                        \(configuration.idleInTransactionTimeout.postgresMilliseconds), false)
      """
    var operation = beginOperation(deadline: .now + configuration.connectTimeout)
    try send(unprepared: settings)
    _ = try finish(&operation)
  }

  var isUsable: Bool { !isBroken && handle.isConnected }

  func markBroken() { isBroken = true }

  // MARK: Operations

  func beginOperation(deadline: ContinuousClock.Instant) -> Operation {
    lastOperation += 1
    return Operation(id: lastOperation, deadline: deadline)
  }

  /// Whether the server still answers. For a connection on which something arrived while nobody asked: its end, or only
  /// a notice of a changed setting; the server's farewell comes before the end of the stream, so a look does not do.
  func checkAlive() -> Bool {
    guard isUsable else { return false }
    do {
      var operation = beginOperation(deadline: .now + configuration.cancelGrace)
      _ = try run(script: "", &operation)
    } catch {
      isBroken = true
    }
    return isUsable
  }

  // MARK: Waiting

  /// Flushes what is queued, then waits for the next result; nil at the end of a statement's results.
  func nextResult(_ operation: inout Operation) throws(PostgresError) -> ResultHandle? {
    while true {
      let unsent = PQflush(handle.raw)
      guard unsent >= 0 else { throw lost() }
      if PQisBusy(handle.raw) == 0 { break }
      try wait(for: unsent > 0 ? POLLIN | POLLOUT : POLLIN, &operation)
      guard PQconsumeInput(handle.raw) != 0 else {
        // The server's last words, if any, are in the buffer: let the result say why.
        if PQisBusy(handle.raw) == 0 { break }
        throw lost()
      }
    }
    guard let result = PQgetResult(handle.raw) else { return nil }
    return ResultHandle(taking: result)
  }

  /// Blocks until the socket is ready. Starts the cancellation when the deadline passes or the caller gives up, and
  /// throws when the server does not acknowledge that in time either; the session is then broken.
  func wait(for events: Int32, _ operation: inout Operation) throws(PostgresError) {
    precondition(pthread_equal(thread, pthread_self()) != 0, "a connection waits off its own thread")
    while true {
      if interrupt.isAborted {
        isBroken = true
        throw PostgresError(.closed)
      }
      if case .running = operation.phase, interrupt.isCancelled(operation.id) { stop(&operation, .cancellation) }
      guard let timeout = operation.limit.pollTimeout else {
        guard case .running = operation.phase else {
          isBroken = true
          throw PostgresError(.deadlineExceeded, reason: "the server did not answer a cancel request")
        }
        stop(&operation, .deadline)
        continue
      }
      if poll(socketEvents: Int16(events), timeout: timeout) { return }
    }
  }

  /// True when the socket is ready, false on a wake-up or timeout.
  func poll(socketEvents: Int16, timeout: Int32) -> Bool {
    var descriptors = (
      pollfd(fd: handle.socket, events: socketEvents, revents: 0),
      pollfd(fd: interrupt.descriptor, events: Int16(POLLIN), revents: 0)
    )
    let ready = withUnsafeMutableBytes(of: &descriptors) {
      Glibc.poll($0.baseAddress!.assumingMemoryBound(to: pollfd.self), 2, timeout)
    }
    guard ready > 0 else { return false }
    if descriptors.1.revents != 0 { interrupt.drain() }
    return descriptors.0.revents != 0
  }

  private func stop(_ operation: inout Operation, _ reason: Operation.StopReason) {
    operation.phase = .stopping(reason, graceEnd: .now + configuration.cancelGrace)
    guard let cancel = CancelHandle(of: handle), cancel.send(for: operation.id, tell: interrupt) else {
      // Nothing was sent, so nothing can arrive late; the statement's own end or the grace period decides.
      interrupt.finishCancel(of: operation.id)
      return
    }
  }

  /// After an operation that was being stopped: waits until its cancel request can no longer hit the next statement.
  func settle(_ operation: inout Operation) {
    guard case .stopping = operation.phase else { return }
    while !interrupt.isCancelFinished(of: operation.id) && !isBroken {
      guard let timeout = operation.limit.pollTimeout, !interrupt.isAborted else {
        isBroken = true
        return
      }
      var descriptor = pollfd(fd: interrupt.descriptor, events: Int16(POLLIN), revents: 0)
      if Glibc.poll(&descriptor, 1, timeout) > 0 { interrupt.drain() }
    }
  }

  func lost() -> PostgresError {
    isBroken = true
    return PostgresError(.connectionLost)
  }
}

extension Duration {
  /// The value of a PostgreSQL time setting in milliseconds.
  fileprivate var postgresMilliseconds: String {
    "\(components.seconds * 1000 + components.attoseconds / 1_000_000_000_000_000)"
  }
}

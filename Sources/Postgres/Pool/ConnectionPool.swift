internal import ServiceKit

/// A bounded set of connections, opened when first needed.
///
/// Shared by who serves requests and by workers; safe from any task. Waiting is bounded in number and time and is served
/// in order. Ends with `close()`.
package final class ConnectionPool: PostgresQuerying {
  package let configuration: PoolConfiguration
  private let ledger: Lock<PoolLedger>

  package init(_ configuration: PoolConfiguration) {
    self.configuration = configuration
    let size = min(max(1, configuration.maximumConnections), PoolConfiguration.maximumConnectionsLimit)
    ledger = Lock(PoolLedger(maximumConnections: size, maximumWaiters: configuration.maximumWaiters))
  }

  /// Callers waiting for a connection now.
  package var waiterCount: Int { ledger.withLock { $0.waiterCount } }

  /// Connection attempts that failed since the last that succeeded.
  package var failedAttempts: Int { ledger.withLock { $0.failures } }

  // MARK: Leasing

  /// Lends a connection to `body`. What `body` leaves behind is cleaned up: an open transaction is rolled back, a broken
  /// connection is replaced. Do not use the connection after `body` ends, nor ask the same pool for a second one inside.
  ///
  /// - Parameter deadline: for getting the connection; by default `acquireTimeout` from now.
  nonisolated(nonsending) package func withConnection<Result>(
    deadline: ContinuousClock.Instant? = nil,
    _ body: nonisolated(nonsending) (PostgresConnection) async throws -> Result
  ) async throws -> Result {
    let connection = try await acquire(deadline ?? .now + configuration.acquireTimeout)
    do {
      let result = try await body(connection)
      await giveBack(connection)
      return result
    } catch {
      await giveBack(connection)
      throw error
    }
  }

  package func query<Value: Sendable>(
    _ query: Query, deadline: ContinuousClock.Instant?, decode: @Sendable (borrowing RowReader) throws -> Value
  ) async throws -> [Value] {
    try await withConnection(deadline: acquireDeadline(deadline)) { connection in
      try await connection.query(query, deadline: deadline, decode: decode)
    }
  }

  @discardableResult
  package func execute(_ query: Query, deadline: ContinuousClock.Instant?) async throws -> Int {
    try await withConnection(deadline: acquireDeadline(deadline)) { connection in
      try await connection.execute(query, deadline: deadline)
    }
  }

  private func acquireDeadline(_ deadline: ContinuousClock.Instant?) -> ContinuousClock.Instant {
    let patience = ContinuousClock.now + configuration.acquireTimeout
    return min(deadline ?? patience, patience)
  }

  private func acquire(_ deadline: ContinuousClock.Instant) async throws -> PostgresConnection {
    while true {
      try Task.checkCancellation()
      let connection = try await lease(deadline)
      if connection.isQuiet { return connection }
      if await connection.checkAlive() { return connection }
      settle(ledger.withLock { $0.giveBack(connection, isUsable: false) })
    }
  }

  private func lease(_ deadline: ContinuousClock.Instant) async throws -> PostgresConnection {
    let id = ledger.withLock { $0.makeWaiterID() }
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        demand(id, deadline, continuation)
        // A cancellation that came before the waiter was noted found nothing to end.
        if Task.isCancelled { giveUp(id, CancellationError()) }
      }
    } onCancel: {
      giveUp(id, CancellationError())
    }
  }

  private func demand(
    _ id: UInt64, _ deadline: ContinuousClock.Instant,
    _ continuation: CheckedContinuation<PostgresConnection, any Error>
  ) {
    let answer = ledger.withLock { ledger in
      ledger.demand(id) { PoolLedger.Waiter(continuation: continuation, timer: timer(for: id, deadline)) }
    }
    switch answer {
    case .leased(let connection): continuation.resume(returning: connection)
    case .refused(let code): continuation.resume(throwing: PostgresError(code))
    case .waiting(let opens): if opens { startOpener() }
    }
  }

  private func timer(for id: UInt64, _ deadline: ContinuousClock.Instant) -> Task<Void, Never> {
    Task {
      // A cancelled sleep means that the waiter was served.
      guard (try? await Task.sleep(until: deadline, clock: .continuous)) != nil else { return }
      let failure = ledger.withLock { $0.lastConnectFailure }
      giveUp(id, failure ?? PostgresError(.poolExhausted))
    }
  }

  private func giveUp(_ id: UInt64, _ error: any Error) {
    let waiter = ledger.withLock { $0.abandon(id) }
    waiter?.timer.cancel()
    waiter?.continuation.resume(throwing: error)
  }

  // MARK: Giving back

  private func giveBack(_ connection: PostgresConnection) async {
    var status = connection.status.withLock { $0 }
    if status.isUsable && status.isInTransaction {
      await connection.abandonTransaction()
      status = connection.status.withLock { $0 }
    }
    let isUsable = status.isUsable && !status.isInTransaction
    settle(ledger.withLock { $0.giveBack(connection, isUsable: isUsable) })
  }

  /// Carries out what the state decided.
  private func settle(_ settlement: PoolLedger.Settlement) {
    settlement.waiter?.timer.cancel()
    if let connection = settlement.handed { settlement.waiter?.continuation.resume(returning: connection) }
    if let connection = settlement.discarded { Task { await connection.close() } }
    if settlement.opens { startOpener() }
    for continuation in settlement.drained { continuation.resume() }
  }

  // MARK: Opening

  private func startOpener() {
    Task { await open() }
  }

  /// Tries until a connection is made or nobody waits any more. All openers share one backoff.
  private func open() async {
    while true {
      let pause = ledger.withLock { $0.retryNotBefore }
      // The task is nobody's and never cancelled.
      if pause > .now { try? await Task.sleep(until: pause, clock: .continuous) }
      guard ledger.withLock({ $0.continueOpening() }) else {
        return settle(ledger.withLock { $0.settlement() })
      }
      do {
        let connection = try await PostgresConnection.connect(configuration.connection)
        return settle(ledger.withLock { $0.opened(connection) })
      } catch {
        let failure = error as? PostgresError ?? PostgresError(.connectionFailed)
        guard ledger.withLock({ $0.openFailed(failure, self.configuration) }) else {
          return settle(ledger.withLock { $0.settlement() })
        }
      }
    }
  }

  // MARK: Ending

  /// Refuses new callers and those who wait, closes what is idle, and waits for the leased connections to come back. At
  /// the deadline those still out are broken off.
  package func close(deadline: ContinuousClock.Instant = .now + .seconds(5)) async {
    let (idle, waiters) = ledger.withLock { $0.close() }
    for waiter in waiters {
      waiter.timer.cancel()
      waiter.continuation.resume(throwing: PostgresError(.closed))
    }
    for connection in idle { await connection.close() }
    let timer = Task {
      guard (try? await Task.sleep(until: deadline, clock: .continuous)) != nil else { return }
      for connection in ledger.withLock({ $0.leasedConnections }) { connection.abort() }
    }
    await withCheckedContinuation { continuation in
      let isDrained = ledger.withLock { $0.notifyWhenDrained(continuation) }
      if isDrained { continuation.resume() }
    }
    timer.cancel()
  }
}

/// A pool's state with what belongs to it in the real world: continuations, timers, connections and the shared backoff.
///
/// A value behind `ConnectionPool`'s lock. It calls nothing and resumes nothing: it returns what is to be done outside.
struct PoolLedger {
  struct Waiter {
    let continuation: CheckedContinuation<PostgresConnection, any Error>
    let timer: Task<Void, Never>
  }

  enum Answer {
    case leased(PostgresConnection)
    case waiting(opens: Bool)
    case refused(PostgresError.Code)
  }

  /// What is to be done once the lock is released.
  struct Settlement {
    var handed: PostgresConnection?
    var waiter: Waiter?
    var discarded: PostgresConnection?
    var opens = false
    var drained: [CheckedContinuation<Void, Never>] = []
  }

  private var state: PoolState<PostgresConnection>
  private var waiters: [UInt64: Waiter] = [:]
  private var leased: [ObjectIdentifier: PostgresConnection] = [:]
  private var lastWaiter: UInt64 = 0
  private var drained: [CheckedContinuation<Void, Never>] = []
  /// The reason of the last failed attempt, while none has succeeded since.
  private(set) var lastConnectFailure: PostgresError?
  /// No opener tries before.
  private(set) var retryNotBefore = ContinuousClock.now

  init(maximumConnections: Int, maximumWaiters: Int) {
    state = PoolState(maximumConnections: maximumConnections, maximumWaiters: maximumWaiters)
  }

  var waiterCount: Int { state.waiterCount }
  var failures: Int { state.failures }
  var leasedConnections: [PostgresConnection] { Array(leased.values) }

  mutating func makeWaiterID() -> UInt64 {
    lastWaiter += 1
    return lastWaiter
  }

  mutating func demand(_ id: UInt64, _ makeWaiter: () -> Waiter) -> Answer {
    switch state.demand(by: id) {
    case .lease(let connection):
      leased[ObjectIdentifier(connection)] = connection
      return .leased(connection)
    case .refuse(let code):
      return .refused(code)
    case .wait:
      waiters[id] = makeWaiter()
      return .waiting(opens: state.startOpening())
    }
  }

  /// The waiter who gives up, unless it was served already.
  mutating func abandon(_ id: UInt64) -> Waiter? {
    state.abandon(id) ? waiters.removeValue(forKey: id) : nil
  }

  mutating func giveBack(_ connection: PostgresConnection, isUsable: Bool) -> Settlement {
    leased[ObjectIdentifier(connection)] = nil
    return settle(state.giveBack(connection, isUsable: isUsable))
  }

  mutating func opened(_ connection: PostgresConnection) -> Settlement {
    lastConnectFailure = nil
    return settle(state.opened(connection))
  }

  /// True when the opener goes on after the shared pause.
  mutating func openFailed(_ error: PostgresError, _ configuration: PoolConfiguration) -> Bool {
    lastConnectFailure = error
    let retry = state.openFailed()
    let doubled = configuration.initialBackoff * (1 << min(max(0, state.failures - 1), 16))
    // Half to full, so that many processes do not come back at the same moment.
    retryNotBefore = .now + min(doubled, configuration.maximumBackoff) * Double.random(in: 0.5...1)
    return retry == .goOn
  }

  mutating func continueOpening() -> Bool { state.continueOpening() == .goOn }

  mutating func close() -> (idle: [PostgresConnection], waiters: [Waiter]) {
    let closed = state.close()
    defer { waiters = [:] }
    return (closed.idle, closed.waiters.compactMap { waiters[$0] })
  }

  /// True when everything has ended already; otherwise `continuation` comes with the settlement that ends it.
  mutating func notifyWhenDrained(_ continuation: CheckedContinuation<Void, Never>) -> Bool {
    guard !state.isDrained else { return true }
    drained.append(continuation)
    return false
  }

  /// What an event left to do besides its own effect.
  mutating func settlement() -> Settlement {
    var settlement = Settlement(opens: state.startOpening())
    guard state.isDrained else { return settlement }
    settlement.drained = drained
    drained = []
    return settlement
  }

  private mutating func settle(_ decision: PoolState<PostgresConnection>.Return) -> Settlement {
    var settlement = settlement()
    switch decision {
    case .keep: break
    case .hand(let connection, let id):
      leased[ObjectIdentifier(connection)] = connection
      settlement.handed = connection
      settlement.waiter = waiters.removeValue(forKey: id)
    case .discard(let connection):
      settlement.discarded = connection
    }
    return settlement
  }
}

/// The bookkeeping of a pool, without I/O, time or threads: who has a connection, who waits, how many are being opened.
///
/// A value inside `ConnectionPool`, behind its lock. Every event returns what the pool has to do; after each it asks
/// `startOpening()`. At any moment `idle + leased + opening <= maximumConnections`, and nobody waits while a
/// connection is idle.
struct PoolState<Connection> {
  enum Demand {
    case lease(Connection)
    case wait
    case refuse(PostgresError.Code)
  }

  enum Return {
    case hand(Connection, to: UInt64)
    case keep
    /// Close it.
    case discard(Connection)
  }

  enum Retry {
    case goOn
    case end
  }

  private let maximumConnections: Int
  private let maximumWaiters: Int
  private var idle: [Connection] = []
  private(set) var leased = 0
  private(set) var opening = 0
  private var waiters: [UInt64] = []
  /// Connection attempts that failed since the last that succeeded, over all openers.
  private(set) var failures = 0
  private(set) var isClosed = false

  init(maximumConnections: Int, maximumWaiters: Int) {
    self.maximumConnections = maximumConnections
    self.maximumWaiters = maximumWaiters
  }

  var idleCount: Int { idle.count }
  var waiterCount: Int { waiters.count }
  /// An opener still under way does not count: what it opens is closed at once.
  var isDrained: Bool { isClosed && leased == 0 }

  /// Someone wants a connection. The most recently used one is given, so that spare ones stay idle.
  mutating func demand(by waiter: UInt64) -> Demand {
    guard !isClosed else { return .refuse(.closed) }
    if let connection = idle.popLast() {
      leased += 1
      return .lease(connection)
    }
    guard waiters.count < maximumWaiters else { return .refuse(.poolExhausted) }
    waiters.append(waiter)
    return .wait
  }

  /// A leased connection comes back.
  mutating func giveBack(_ connection: Connection, isUsable: Bool) -> Return {
    leased -= 1
    guard isUsable, !isClosed else { return .discard(connection) }
    return place(connection)
  }

  /// An opener succeeded.
  mutating func opened(_ connection: Connection) -> Return {
    opening -= 1
    failures = 0
    guard !isClosed else { return .discard(connection) }
    return place(connection)
  }

  /// An opener failed; it retries after a pause as long as someone waits.
  mutating func openFailed() -> Retry {
    failures += 1
    return continueOpening()
  }

  /// An opener's pause is over: does anyone still need it?
  mutating func continueOpening() -> Retry {
    // Only one keeps trying while the server is away.
    guard !isClosed, !waiters.isEmpty, failures == 0 || opening == 1 else {
      opening -= 1
      return .end
    }
    return .goOn
  }

  /// A waiter gives up; false when it was already served.
  mutating func abandon(_ waiter: UInt64) -> Bool {
    guard let index = waiters.firstIndex(of: waiter) else { return false }
    waiters.remove(at: index)
    return true
  }

  /// No more leases. Returns the idle connections to close and the waiters to refuse.
  mutating func close() -> (idle: [Connection], waiters: [UInt64]) {
    isClosed = true
    defer {
      idle = []
      waiters = []
    }
    return (idle, waiters)
  }

  /// One more opener, if those under way do not suffice for the waiters and the bound allows. While attempts fail, one.
  mutating func startOpening() -> Bool {
    guard !isClosed, opening < waiters.count, idle.count + leased + opening < maximumConnections else { return false }
    guard failures == 0 || opening == 0 else { return false }
    opening += 1
    return true
  }

  private mutating func place(_ connection: Connection) -> Return {
    guard !waiters.isEmpty else {
      idle.append(connection)
      return .keep
    }
    leased += 1
    return .hand(connection, to: waiters.removeFirst())
  }
}

internal import PushCore
internal import Transport

/// The connections, the provider token and the waiting groups of one (environment, team, key): whatever is sent with a key passes
/// through its pool, in turns.
///
/// Owned by an engine's loop, on that loop only. What happens is noted at once; sending is done once for all of it, at the end of the
/// loop's turn. It ends when it is stopped, or when nobody has used it for long and its engine drops it.
final class Pool {
  /// Bounds of one pool.
  struct Limits: Sendable, Hashable {
    var state = PoolState.Limits()
    /// How long a push waits for its answer.
    var answerDeadline: Duration = .seconds(20)
    /// How long pushes wait for connections that are there and take none.
    var stallDeadline: Duration = .seconds(30)
    /// How often a push that comes back unprocessed is sent again before the worker gets it back.
    var resends: UInt8 = 5
    /// A connection with pushes under way that says nothing for so long is asked for a sign of life…
    var silence: Duration = .seconds(5)
    /// …and given up when there is none for so long.
    var probeDeadline: Duration = .seconds(5)
    /// A result is not kept back longer than this: what is not reported is sent again after a crash.
    var reportDelay: Duration = .milliseconds(100)
  }

  struct Connected {
    let number: Int
    let connection: any PushConnection
    var health = ConnectionHealth()
    var inFlight = 0
    var isProved = false
  }

  let key: PoolKey
  let credential: APNsCredential
  let limits: Limits
  unowned let host: any PoolHost
  var state: PoolState
  var tokens = ProviderTokenState()
  var connections: [Connected] = []
  var queue = GroupQueue()
  /// Came back and go first, with the same `apns-id`.
  var again: [Flight] = []
  var flights = FlightTable()
  var unreported: [GroupRun] = []
  var reportAt: MonotonicTime?
  var stalledSince: MonotonicTime?
  var rotation = 0
  var lastUsed: MonotonicTime
  private(set) var isStopping = false
  let metrics: EngineMetrics
  /// In seconds, for the histogram; handed over once a turn.
  var answerTimes: [Double] = []

  init(
    key: PoolKey, credential: APNsCredential, limits: Limits, metrics: EngineMetrics, host: any PoolHost
  ) {
    self.key = key
    self.credential = credential
    self.limits = limits
    self.metrics = metrics
    self.host = host
    state = PoolState(limits.state)
    lastUsed = host.now
  }

  /// Nothing waits and nothing is under way.
  var isQuiet: Bool { queue.isEmpty && again.isEmpty && flights.count == 0 && unreported.isEmpty }

  func send(_ run: GroupRun) {
    lastUsed = host.now
    guard !run.isFinished else { return run.flush() }
    guard !isStopping else { return run.settleWaiting(.unsent(.stopping), at: host.wallClock) }
    queue.append(run)
    host.wantsTurn(self)
  }

  /// Nothing new is sent; what waits is given back; what is under way gets until its deadline, or until ``abandon()``.
  func stop() {
    isStopping = true
    giveBack(.unsent(.stopping)) { _ in true }
    carryOut(state.retireAll())
    host.wantsTurn(self)
  }

  /// Ends everything that is under way without its answer.
  func abandon() {
    while let tag = flights.oldest { endUnanswered(tag) }
    for connected in connections { connected.connection.close() }
    flushAll()
  }

  // MARK: What comes of orders

  func connected(_ number: Int, _ connection: any PushConnection) {
    state.connected(number, at: host.now)
    connections.append(Connected(number: number, connection: connection))
    metrics.connectionOpened()
    if isStopping { carryOut(state.retireAll()) }
    host.wantsTurn(self)
  }

  func connectFailed(_ number: Int) {
    state.connectFailed(number, at: host.now, random: host.random())
    metrics.connectFailed()
    host.wantsTurn(self)
  }

  func tokenFetched(_ token: ProviderToken) {
    // Those who wait for a newer one and do not get it have had their answer.
    if tokens.fetched(token, at: host.now) {
      settleRenewed(.held(Reason(rawValue: "ExpiredProviderToken"), .credential))
    }
    host.wantsTurn(self)
  }

  func tokenFetchFailed() {
    if tokens.fetchFailed(at: host.now, random: host.random()) { settleRenewed(.unsent(.noProviderToken)) }
    host.wantsTurn(self)
  }

  private func settleRenewed(_ answer: ProviderAnswer) {
    let newest = tokens.generations
    let waiting = again.filter { $0.isRenewed && $0.tokenGeneration == newest }
    again.removeAll { $0.isRenewed && $0.tokenGeneration == newest }
    for flight in waiting { settle(flight, answer) }
  }

  func carryOut(_ orders: [PoolState.Order]) {
    for order in orders {
      switch order {
      case .connect(let number): host.connect(number, for: self)
      case .drain(let number): connection(number)?.drain()
      case .close(let number): connection(number)?.close()
      }
    }
  }

  func connection(_ number: Int) -> (any PushConnection)? {
    connections.first { $0.number == number }?.connection
  }

  func index(of number: Int) -> Int? { connections.firstIndex { $0.number == number } }
}

internal import PushCore
internal import ServiceKit
internal import Transport

/// The pools of one event loop, and what they need of it: turns, timers, connections and provider tokens.
///
/// Owned by the provider; on its loop's thread only. It ends with ``stop(within:completion:)``.
final class EngineLoop {
  let loop: EventLoop
  private let settings: APNsSettings
  private let connector: Connector
  private let store: any ProviderTokenStore
  private let metrics: EngineMetrics
  private let log: Log
  private var pools: [PoolKey: Pool] = [:]
  /// Dropped for want of use or of room, until their last connection has ended.
  private var leaving: [Pool] = []
  private var wanted: [Pool] = []
  private var awaitsCycleEnd = false
  private var wakes: [ObjectIdentifier: LoopTimer] = [:]
  private var sweeping: LoopTimer?
  private var stopped: (() -> Void)?
  private var stopTimer: LoopTimer?
  private var isStopping = false

  /// How long the token store may take: it is a database.
  private static let storeDeadline: Duration = .seconds(15)
  /// How often unused pools are looked for.
  private static let sweep: Duration = .seconds(60)

  init(
    loop: EventLoop, settings: APNsSettings, tls: TLSClientContext, store: any ProviderTokenStore,
    metrics: EngineMetrics, log: Log
  ) {
    self.loop = loop
    self.settings = settings
    connector = Connector(loop: loop, tls: tls)
    self.store = store
    self.metrics = metrics
    self.log = log
  }

  func send(_ run: GroupRun) {
    guard !isStopping else { return run.settleWaiting(.unsent(.stopping), at: wallClock) }
    pool(for: run.group).send(run)
  }

  /// Gives back what waits, lets what is under way end until the deadline, then ends it.
  func stop(within deadline: Duration, completion: @escaping () -> Void) {
    isStopping = true
    sweeping?.cancel()
    for pool in pools.values { pool.stop() }
    leaving += pools.values
    pools = [:]
    stopped = completion
    stopTimer = loop.schedule(after: deadline) { [self] in
      for pool in leaving { pool.abandon() }
      finishStop()
    }
    if stopTimer?.isPending != true { for pool in leaving { pool.abandon() } }
    requestCycleEnd()
  }

  private func pool(for group: SendGroup) -> Pool {
    let key = PoolKey(group.credential, environment: group.environment)
    if let pool = pools[key] { return pool }
    makeRoom()
    let pool = Pool(
      key: key, credential: group.credential, limits: settings.poolLimits, metrics: metrics, host: self)
    pools[key] = pool
    sweepLater()
    return pool
  }

  /// The quiet pool that was used longest ago goes; when none is quiet there is one too many for a while.
  private func makeRoom() {
    guard pools.count >= settings.openPools else { return }
    let quiet = pools.values.filter(\.isQuiet).min { $0.lastUsed < $1.lastUsed }
    if let quiet { dismiss(quiet) }
  }

  private func dismiss(_ pool: Pool) {
    pools[pool.key] = nil
    leaving.append(pool)
    pool.stop()
  }

  private func sweepLater() {
    guard sweeping == nil else { return }
    sweeping = loop.schedule(after: Self.sweep) { [self] in
      sweeping = nil
      let now = loop.now
      for pool in pools.values
      where pool.isQuiet && pool.state.isEmpty && now.since(pool.lastUsed) >= settings.idle {
        dismiss(pool)
      }
      if !pools.isEmpty { sweepLater() }
    }
  }

  private func requestCycleEnd() {
    guard !awaitsCycleEnd else { return }
    awaitsCycleEnd = true
    loop.atEndOfCycle(self)
  }

  private func forgetEnded() {
    let ended = leaving.filter { $0.isQuiet && $0.state.isEmpty }
    guard !ended.isEmpty else { return }
    for pool in ended { wake(pool, at: nil) }
    leaving.removeAll { pool in ended.contains { $0 === pool } }
  }

  private func finishStop() {
    stopTimer?.cancel()
    stopTimer = nil
    let completion = stopped.take()
    completion?()
  }
}

extension EngineLoop: EndOfCycleHandler {
  func endOfCycle() {
    awaitsCycleEnd = false
    let pools = wanted
    wanted = []
    for pool in pools { pool.turn() }
    if !leaving.isEmpty { forgetEnded() }
    if isStopping, leaving.allSatisfy(\.isQuiet) { finishStop() }
  }
}

extension EngineLoop: PoolHost {
  var now: MonotonicTime { loop.now }
  var wallClock: Timestamp { .now() }
  func random() -> Double { .random(in: 0..<1) }

  func wantsTurn(_ pool: Pool) {
    guard !wanted.contains(where: { $0 === pool }) else { return }
    wanted.append(pool)
    requestCycleEnd()
  }

  func wake(_ pool: Pool, at time: MonotonicTime?) {
    let name = ObjectIdentifier(pool)
    guard let time else {
      wakes.removeValue(forKey: name)?.cancel()
      return
    }
    // Waking too early costs a look; moving a timer at every turn costs more.
    if let timer = wakes[name], timer.isPending, timer.deadline <= time { return }
    wakes[name]?.cancel()
    wakes[name] = loop.schedule(after: time.since(.current())) { [weak self, weak pool] in
      guard let self, let pool else { return }
      wakes[name] = nil
      wantsTurn(pool)
    }
  }

  func connect(_ number: Int, for pool: Pool) {
    let endpoint =
      switch pool.key.environment {
      case .production: settings.production
      case .development: settings.sandbox
      }
    let streams = settings.streamsPerConnection
    connector.connect(to: endpoint.host, port: endpoint.port, within: settings.connectDeadline) { [self] result in
      switch result {
      case .success(let channel):
        let connection = HTTP2PushConnection(
          taking: channel, number: number, authority: endpoint.host, streams: streams, owner: pool)
        pool.connected(number, connection)
      case .failure(let error):
        log.sparse(
          .warning, "apns_connect_failed",
          ["host": .init(stringLiteral: endpoint.host), "error": .init(stringLiteral: error.description)])
        pool.connectFailed(number)
      }
    }
  }

  func fetchToken(for pool: Pool, maximumAge: Seconds, mayMint: Bool) {
    let answer = LoopBound(TokenAnswer(pool), loop: loop)
    let timer = loop.schedule(after: Self.storeDeadline) { answer.value.end(nil) }
    answer.value.timer = timer
    let name = pool.key.tokenName
    let credential = pool.credential
    Task { [store, loop, log] in
      // Whatever the store's error is, there is no token now; it is asked again after a while.
      var token: ProviderToken?
      do {
        token = try await store.token(for: name, maximumAge: maximumAge) { issuedAt in
          guard mayMint else { throw MintingPaused() }
          return try ProviderTokenMint(credential).mint(issuedAt: issuedAt)
        }
      } catch {
        log.sparse(.warning, "apns_provider_token_failed", ["key_id": .init(stringLiteral: name.keyID)])
      }
      loop.execute { [token] in answer.value.end(token) }
    }
  }

  /// Apple has seen too many tokens of this key: the store may give an old one, but make none.
  private struct MintingPaused: Error {}

  /// Tells a pool once: the store's answer, or that none came in time.
  private final class TokenAnswer {
    private var pool: Pool?
    var timer: LoopTimer?
    init(_ pool: Pool) { self.pool = pool }

    func end(_ token: ProviderToken?) {
      timer?.cancel()
      guard let pool = pool.take() else { return }
      if let token { pool.tokenFetched(token) } else { pool.tokenFetchFailed() }
    }
  }
}

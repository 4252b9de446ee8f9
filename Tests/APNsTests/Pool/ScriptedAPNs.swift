import PushCore
import ServiceKit
import Testing
import Transport

@testable import APNs

/// A connection that keeps what it is given and answers when the test says so.
final class ScriptedConnection: PushConnection {
  struct Submitted {
    let tag: Int32
    let apnsID: UInt128
    let token: DeviceToken
    let headers: PushHeaders
  }

  let number: Int
  unowned let owner: any PushConnectionOwner
  var limit: Int
  var lastHeard: MonotonicTime
  private(set) var submitted: [Submitted] = []
  private(set) var open: [Submitted] = []
  private(set) var resetTags: [Int32] = []
  private(set) var probes = 0
  private(set) var isDraining = false
  private(set) var isClosed = false
  private(set) var mostOpen = 0

  init(_ number: Int, owner: any PushConnectionOwner, limit: Int, now: MonotonicTime) {
    self.number = number
    self.owner = owner
    self.limit = limit
    lastHeard = now
  }

  var capacity: Int { isDraining || isClosed ? 0 : max(0, limit - open.count) }

  func submit(_ push: PushRequest, tag: Int32) {
    #expect(capacity > 0)
    let new = Submitted(tag: tag, apnsID: push.apnsID, token: push.token, headers: push.headers)
    submitted.append(new)
    open.append(new)
    mostOpen = max(mostOpen, open.count)
  }

  func reset(tag: Int32) {
    resetTags.append(tag)
    open.removeAll { $0.tag == tag }
  }

  func probe(deadline: Duration) { probes += 1 }
  func drain() { isDraining = true }
  func close() { isClosed = true }

  // MARK: What the server does

  func take(_ index: Int = 0) -> Submitted { open.remove(at: index) }

  func answer(_ index: Int = 0, _ status: Int = 200, _ body: String = "") {
    let push = take(index)
    Array(body.utf8).withUnsafeBytes {
      owner.connection(number, answered: push.tag, with: PushAnswer(status: status, retryAfter: nil, body: $0))
    }
  }

  func answerAll(_ status: Int = 200, _ body: String = "") {
    while !open.isEmpty { answer(0, status, body) }
  }

  func refuse(_ index: Int = 0) { owner.connection(number, refused: take(index).tag) }
  func resetStream(_ index: Int = 0) { owner.connection(number, resetByServer: take(index).tag) }

  func goAway(keeping kept: Int) {
    isDraining = true
    owner.connectionIsDraining(number)
    while open.count > kept { refuse(kept) }
  }

  func lose() {
    while !open.isEmpty { owner.connection(number, lost: take().tag) }
    isClosed = true
    owner.connectionEnded(number)
  }

  /// What a real connection does of its own when it is done.
  func endIfDone() -> Bool {
    guard isClosed || (isDraining && open.isEmpty) else { return false }
    while !open.isEmpty { owner.connection(number, lost: take().tag) }
    owner.connectionEnded(number)
    return true
  }
}

/// A loop whose clock the test moves: connects at once or fails, as the test likes.
final class ScriptedHost: PoolHost {
  var now = MonotonicTime(nanoseconds: 1_000_000_000_000)
  var wallClock = Fixture.now
  var refusesConnects = false
  var streamLimit = 1000
  var tokenText = "token-1"
  var tokenAge: Int64 = 0
  var storeFails = false
  private(set) var connects = 0
  private(set) var fetches: [Seconds] = []
  private(set) var connections: [ScriptedConnection] = []
  private var wanted: [Pool] = []
  private var wakes: [ObjectIdentifier: (Pool, MonotonicTime)] = [:]
  private var pending: [() -> Void] = []

  func random() -> Double { 0 }

  func connect(_ number: Int, for pool: Pool) {
    connects += 1
    pending.append { [self] in
      guard !refusesConnects else { return pool.connectFailed(number) }
      let connection = ScriptedConnection(number, owner: pool, limit: streamLimit, now: now)
      connections.append(connection)
      pool.connected(number, connection)
    }
  }

  func fetchToken(for pool: Pool, maximumAge: Seconds, mayMint: Bool) {
    fetches.append(maximumAge)
    pending.append { [self] in
      guard !storeFails else { return pool.tokenFetchFailed() }
      pool.tokenFetched(
        ProviderToken(text: Array(tokenText.utf8), issuedAt: wallClock, age: Seconds(tokenAge)))
    }
  }

  func wantsTurn(_ pool: Pool) {
    if !wanted.contains(where: { $0 === pool }) { wanted.append(pool) }
  }

  func wake(_ pool: Pool, at time: MonotonicTime?) { wakes[ObjectIdentifier(pool)] = time.map { (pool, $0) } }

  /// Until nothing is left to do at this moment.
  func settle() {
    for _ in 0..<100_000 {
      connections.removeAll { $0.endIfDone() }
      let work = pending
      pending = []
      for body in work { body() }
      let pools = wanted
      wanted = []
      for pool in pools { pool.turn() }
      guard pending.isEmpty, wanted.isEmpty, !connections.contains(where: { $0.isClosed }) else { continue }
      return
    }
    Issue.record("the pool is never done")
  }

  /// Moves the clock on, from one wake-up to the next. Returns how many there were.
  @discardableResult
  func pass(_ duration: Duration) -> Int {
    let end = now + duration
    var count = 0
    while let next = wakes.values.min(by: { $0.1 < $1.1 }), next.1 <= end {
      let step = max(now, next.1)
      wallClock = Timestamp(
        microseconds: wallClock.microseconds + step.since(now).components.attoseconds / 1_000_000_000_000
          + step.since(now).components.seconds * 1_000_000)
      now = step
      wakes[ObjectIdentifier(next.0)] = nil
      next.0.turn()
      settle()
      count += 1
    }
    now = end
    return count
  }
}

/// A pool with its host, and what it has reported.
final class PoolBench {
  let host = ScriptedHost()
  let pool: Pool
  private(set) var results: [String: [SendResult]] = [:]
  private(set) var finished: [String] = []
  private(set) var portions: [Int] = []

  static let credential = APNsCredential(
    teamID: "TEAM000001", keyID: "KEY0000001", bundleID: "com.example.shop", key: SigningKey(pem: []),
    fingerprint: "00")

  init(_ limits: Pool.Limits = Pool.Limits()) {
    pool = Pool(
      key: PoolKey(Self.credential, environment: .production), credential: Self.credential, limits: limits,
      metrics: EngineMetrics(Metrics()), host: host)
  }

  static func group(_ count: Int, timeToLive: Int64 = 86_400, first: Int = 0) throws -> SendGroup {
    let push = try CompiledPush(Fixture.message(Fixture.content(), timeToLive: timeToLive))
    return SendGroup(
      app: Fixture.app, environment: .production, credential: credential, messages: [push],
      recipients: (0..<count).map { Self.recipient(first + $0) })
  }

  static func recipient(_ index: Int) -> Recipient {
    Recipient(
      installation: InstallationID(UInt128(index)),
      token: DeviceToken(stored: withUnsafeBytes(of: UInt64(index).bigEndian) { Array($0) }), message: 0, locale: nil,
      signature: DeliverySignature(proof: UInt128(index), apnsID: UInt128(index)))
  }

  func send(_ group: SendGroup, as name: String = "group") {
    results[name] = []
    pool.send(
      GroupRun(
        group, startedAt: host.now,
        report: { [self] portion in
          results[name, default: []] += portion
          portions.append(portion.count)
        }, finish: { [self] in finished.append(name) }))
    host.settle()
  }

  var connection: ScriptedConnection { host.connections[host.connections.count - 1] }

  /// The answers in the order of recipients; fails unless each was reported exactly once.
  func answers(_ name: String = "group", count: Int) -> [ProviderAnswer] {
    let found = (results[name] ?? []).sorted { $0.recipient < $1.recipient }
    #expect(found.map(\.recipient) == (0..<Int32(count)).map { $0 })
    #expect(finished.count { $0 == name } == 1)
    return found.map(\.answer)
  }
}

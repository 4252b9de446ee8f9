internal import ServiceKit
internal import Transport

/// Which connections a pool has and wants: grows with its load up to a bound, connects one at a time with one shared backoff, replaces
/// what drains, closes what is idle.
///
/// A plain state machine without clock or I/O, owned by one pool: events go in, orders come out. It knows connections by number; streams,
/// health and sockets are their owner's.
struct PoolState {
  /// How a pool behaves. Numbers that Apple does not give are ours.
  struct Limits: Sendable, Hashable {
    var connections = 4
    /// So many pushes at once are worth a connection of their own.
    var pushesPerConnection = 1000
    /// Apple asks for connections to be kept, a NAT forgets them, and thousands of quiet tenants must cost nothing.
    var idle: Duration = .seconds(420)
    /// A connection that ended younger than this, or without a single answer, has failed.
    var minimumLife: Duration = .seconds(1)
    /// How long a push waits for a connection before it is given back.
    var patience: Duration = .seconds(10)
    var backoff = Backoff(base: .milliseconds(100), cap: .seconds(30))
  }

  enum Order: Sendable, Hashable {
    case connect(Int)
    /// No new pushes on it; it is closed when its last stream has ended.
    case drain(Int)
    case close(Int)
  }

  fileprivate enum Phase: Hashable {
    case connecting
    /// `idleSince` is `nil` while it has streams.
    case open(since: MonotonicTime, isProved: Bool, idleSince: MonotonicTime?)
    case draining
  }

  let limits: Limits
  private var phases: [Int: Phase] = [:]
  private var made = 0
  private var backoff: Backoff
  private var retryAt: MonotonicTime?
  private var unprovedSince: MonotonicTime?

  init(_ limits: Limits = Limits()) {
    self.limits = limits
    backoff = limits.backoff
  }

  var isEmpty: Bool { phases.isEmpty }
  var count: Int { phases.count }
  var openCount: Int { phases.values.count { $0.isOpen } }

  /// There are so many pushes, waiting or under way. Asked again after every change.
  mutating func demand(pushes: Int, at now: MonotonicTime) -> Order? {
    guard pushes > 0 else {
      if openCount == 0 { unprovedSince = nil }
      return nil
    }
    if unprovedSince == nil, !phases.values.contains(where: \.isProved) { unprovedSince = now }
    let wanted = min(limits.connections, (pushes + limits.pushesPerConnection - 1) / limits.pushesPerConnection)
    let isConnecting = phases.values.contains(.connecting)
    guard !isConnecting, openCount < wanted, retryAt.map({ $0 <= now }) ?? true else { return nil }
    made += 1
    phases[made] = .connecting
    return .connect(made)
  }

  mutating func connected(_ number: Int, at now: MonotonicTime) {
    guard phases[number] == .connecting else { return }
    phases[number] = .open(since: now, isProved: false, idleSince: now)
  }

  mutating func connectFailed(_ number: Int, at now: MonotonicTime, random: Double) {
    guard phases.removeValue(forKey: number) != nil else { return }
    fail(at: now, random: random)
  }

  /// Its first answer came.
  mutating func proved(_ number: Int) {
    guard case .open(let since, false, let idle) = phases[number] else { return }
    phases[number] = .open(since: since, isProved: true, idleSince: idle)
    unprovedSince = nil
  }

  mutating func becameBusy(_ number: Int) {
    guard case .open(let since, let isProved, _) = phases[number] else { return }
    phases[number] = .open(since: since, isProved: isProved, idleSince: nil)
  }

  mutating func becameIdle(_ number: Int, at now: MonotonicTime) {
    guard case .open(let since, let isProved, _) = phases[number] else { return }
    phases[number] = .open(since: since, isProved: isProved, idleSince: now)
  }

  /// The server sends it away (GOAWAY, `Shutdown`), or it is found sick.
  mutating func retire(_ number: Int, at now: MonotonicTime, random: Double) -> Order? {
    guard case .open(let since, let isProved, _) = phases[number] else { return nil }
    end(since: since, isProved: isProved, at: now, random: random)
    phases[number] = .draining
    return .drain(number)
  }

  /// It is gone, whoever ended it.
  mutating func closed(_ number: Int, at now: MonotonicTime, random: Double) {
    switch phases.removeValue(forKey: number) {
    case .open(let since, let isProved, _): end(since: since, isProved: isProved, at: now, random: random)
    case .connecting: fail(at: now, random: random)
    case .draining, nil: return
    }
  }

  /// The credential is refused, or replaced, or the provider stops: the next push gets a new connection.
  mutating func retireAll() -> [Order] {
    let open = phases.filter(\.value.isOpen).keys.sorted()
    for number in open { phases[number] = .draining }
    return open.map(Order.drain)
  }

  /// What has been idle too long.
  mutating func tick(at now: MonotonicTime) -> [Order] {
    let idle = phases.compactMap { number, phase -> Int? in
      guard case .open(_, _, let since?) = phase, now.since(since) >= limits.idle else { return nil }
      return number
    }
    // Ours to close: no failure of anybody's.
    for number in idle { phases[number] = .draining }
    return idle.sorted().map(Order.close)
  }

  /// When to come back though nothing happened: a connection may be tried again, or has been idle long enough.
  func wakeAt(isWaiting: Bool, at now: MonotonicTime) -> MonotonicTime? {
    var times = phases.values.compactMap { phase -> MonotonicTime? in
      guard case .open(_, _, let since?) = phase else { return nil }
      return since + limits.idle
    }
    if isWaiting, let retryAt, now < retryAt { times.append(retryAt) }
    return times.min()
  }

  /// Whether what has waited since `start` is given back: so long no connection has answered anything.
  func givesUp(waitingSince start: MonotonicTime, at now: MonotonicTime) -> Bool {
    guard let unprovedSince else { return false }
    return now.since(max(start, unprovedSince)) >= limits.patience
  }

  private mutating func end(since: MonotonicTime, isProved: Bool, at now: MonotonicTime, random: Double) {
    if isProved, now.since(since) >= limits.minimumLife {
      backoff.reset()
      retryAt = nil
    } else {
      fail(at: now, random: random)
    }
  }

  private mutating func fail(at now: MonotonicTime, random: Double) {
    retryAt = now + backoff.next(random: random)
  }
}

extension PoolState.Phase {
  fileprivate var isOpen: Bool {
    if case .open = self { true } else { false }
  }

  fileprivate var isProved: Bool {
    if case .open(_, let isProved, _) = self { isProved } else { false }
  }
}

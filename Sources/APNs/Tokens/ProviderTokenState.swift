internal import PushCore
internal import ServiceKit
internal import Transport

/// Which provider token a pool sends with, and when another is fetched: one fetch at a time, whoever needs it.
///
/// A plain state machine without clock or I/O, owned by one pool. Ages are those that the store told (by the database's clock) plus what
/// the monotonic clock has run since, so that a wrong wall clock does not matter. The process-wide lock around minting is the
/// store's.
struct ProviderTokenState {
  /// Apple: not more often than every 20 minutes, at least once an hour.
  static let earliestRenewal: Duration = .seconds(20 * 60)
  static let renewal: Duration = .seconds(40 * 60)
  /// Nothing older is sent: it must still be good when Apple reads it.
  static let latestUse: Duration = .seconds(55 * 60)
  /// For so long a token that Apple calls expired and that cannot be renewed yet is not asked about again.
  static let hopelessFor: Duration = .seconds(60)

  /// A token in use. `generation` tells it from those before it, in a stream's slot.
  struct Held: Sendable {
    let text: [UInt8]
    let generation: Int32
    fileprivate let age: Duration
    fileprivate let readAt: MonotonicTime

    fileprivate func age(at now: MonotonicTime) -> Duration { age + now.since(readAt) }
  }

  enum Order: Sendable, Hashable {
    case none
    /// Ask the store for a token not older than this; unless `mayMint`, without making one.
    case fetch(maximumAge: Seconds, mayMint: Bool)
  }

  /// What becomes of a push that Apple refused because of its token's age.
  enum Expiry: Sendable, Hashable {
    /// There is a newer token already.
    case renewed
    /// One is being fetched, once for all who ask.
    case renewing
    /// There is none to be had: the fault is another one, a wrong clock most likely.
    case hopeless
  }

  private var current: Held?
  private var previous: Held?
  /// Of the newest token.
  private(set) var generations: Int32 = 0
  private var isFetching = false
  private var isForced = false
  private var hopelessUntil: MonotonicTime?
  private var noMintingUntil: MonotonicTime?
  private var retryAt: MonotonicTime?
  private var backoff = Backoff(base: .seconds(1), cap: .seconds(30))

  /// The token to send with; `nil` while there is none that is good.
  func usable(at now: MonotonicTime) -> Held? {
    guard !isForced, let current, current.age(at: now) < Self.latestUse else { return nil }
    return current
  }

  /// Asked while there is something to send.
  mutating func order(at now: MonotonicTime) -> Order {
    guard !isFetching, retryAt.map({ $0 <= now }) ?? true else { return .none }
    let maximumAge: Duration
    if isForced {
      maximumAge = Self.earliestRenewal
    } else {
      guard (current?.age(at: now) ?? Self.latestUse) >= Self.renewal else { return .none }
      maximumAge = Self.renewal
    }
    isFetching = true
    let mayMint = noMintingUntil.map { $0 <= now } ?? true
    return .fetch(maximumAge: Seconds(maximumAge.components.seconds), mayMint: mayMint)
  }

  /// Returns whether it ended a forced renewal in vain: whoever waited for a newer token does not get one.
  @discardableResult
  mutating func fetched(_ token: ProviderToken, at now: MonotonicTime) -> Bool {
    isFetching = false
    retryAt = nil
    backoff.reset()
    let isNew = token.text != current?.text
    let isInVain = isForced && !isNew
    if isForced { hopelessUntil = isInVain ? now + Self.hopelessFor : nil }
    isForced = false
    if isNew {
      previous = current
      generations += 1
    }
    current = Held(text: token.text, generation: generations, age: .seconds(token.age.count), readAt: now)
    return isInVain
  }

  /// Returns what ``fetched(_:at:)`` does.
  @discardableResult
  mutating func fetchFailed(at now: MonotonicTime, random: Double) -> Bool {
    isFetching = false
    retryAt = now + backoff.next(random: random)
    guard isForced else { return false }
    isForced = false
    hopelessUntil = now + Self.hopelessFor
    return true
  }

  /// Apple refused the token of this generation as expired.
  mutating func expired(generation: Int32, at now: MonotonicTime) -> Expiry {
    guard let current, current.generation == generation else { return .renewed }
    if isForced { return .renewing }
    if let hopelessUntil, now < hopelessUntil { return .hopeless }
    isForced = true
    return .renewing
  }

  /// Apple saw too many tokens: none is made for 20 minutes, and the older one is used as long as it is good.
  mutating func updatedTooOften(generation: Int32, at now: MonotonicTime) {
    noMintingUntil = now + Self.earliestRenewal
    guard let current, current.generation == generation, let previous, previous.age(at: now) < Self.latestUse else {
      return
    }
    self.current = previous
    self.previous = nil
  }
}

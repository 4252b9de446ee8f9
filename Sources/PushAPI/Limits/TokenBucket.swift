/// How often something may be asked: so many at once, refilled at so many a second.
package struct RateLimit: Sendable, Hashable {
  package let burst: Int
  package let perSecond: Double

  /// - Precondition: both positive.
  package init(burst: Int, perSecond: Double) {
    precondition(burst > 0 && perSecond > 0, "a limit of nothing would refuse everybody")
    self.burst = burst
    self.perSecond = perSecond
  }
}

/// What is left of somebody's limit: three header fields of every answer.
struct Allowance: Sendable, Hashable {
  let limit: Int
  let remaining: Int
  /// Whole seconds until the limit is whole again.
  let resetAfter: Int
  /// Whole seconds until the next request is taken; `nil` when this one was.
  let retryAfter: Int?
}

/// The tokens of one caller. A pure value: time is a parameter.
struct TokenBucket: Sendable, Hashable {
  private var tokens: Double
  private var updatedAt: ContinuousClock.Instant

  /// Full.
  init(_ limit: RateLimit, at now: ContinuousClock.Instant) {
    tokens = Double(limit.burst)
    updatedAt = now
  }

  mutating func take(_ limit: RateLimit, at now: ContinuousClock.Instant) -> Allowance {
    refill(limit, at: now)
    guard tokens >= 1 else { return allowance(limit, retryAfter: Self.seconds(1 - tokens, limit)) }
    tokens -= 1
    return allowance(limit, retryAfter: nil)
  }

  /// As after ``take(_:at:)``, without taking.
  mutating func look(_ limit: RateLimit, at now: ContinuousClock.Instant) -> Allowance {
    refill(limit, at: now)
    return allowance(limit, retryAfter: nil)
  }

  private mutating func refill(_ limit: RateLimit, at now: ContinuousClock.Instant) {
    guard now > updatedAt else { return }
    let elapsed = (now - updatedAt) / .seconds(1)
    tokens = min(Double(limit.burst), tokens + elapsed * limit.perSecond)
    updatedAt = now
  }

  private func allowance(_ limit: RateLimit, retryAfter: Int?) -> Allowance {
    Allowance(
      limit: limit.burst, remaining: Int(tokens), resetAfter: Self.seconds(Double(limit.burst) - tokens, limit),
      retryAfter: retryAfter)
  }

  /// At least one second when anything is missing: a caller that comes back after "0" comes back at once.
  private static func seconds(_ missing: Double, _ limit: RateLimit) -> Int {
    missing <= 0 ? 0 : max(1, Int((missing / limit.perSecond).rounded(.up)))
  }
}

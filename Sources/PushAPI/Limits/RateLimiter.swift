internal import PushCore
internal import ServiceKit

/// The limits of this process, by kind of caller. Generous: they stop a runaway loop, not a busy customer.
package struct RateLimits: Sendable, Hashable {
  package var `operator` = RateLimit(burst: 1000, perSecond: 100)
  package var key = RateLimit(burst: 10_000, perSecond: 2000)
  /// A carrier's address translator or a proxy can stand for many thousand phones.
  package var address = RateLimit(burst: 10_000, perSecond: 1000)

  package init() {}
}

/// Who is counted.
enum LimitSubject: Hashable, Sendable {
  case `operator`
  case key(APIKeyID)
  /// Devices, and whoever brings no good credential.
  case address(String)
}

/// Counts requests per caller in this process's memory.
///
/// Owned by the handler; usable from any thread. Memory is bounded by two generations of buckets: when the newer one is full,
/// the older is forgotten. A forgotten caller starts with a full bucket, which errs on the generous side.
final class RateLimiter: Sendable {
  private let limits: RateLimits
  private let generations = Lock(Generations())

  /// Buckets in one generation: about 10 MB.
  static let generationSize = 65_536

  private struct Generations: Sendable {
    var newer: [LimitSubject: TokenBucket] = [:]
    var older: [LimitSubject: TokenBucket] = [:]

    mutating func update(
      _ subject: LimitSubject, _ limit: RateLimit, at now: ContinuousClock.Instant,
      _ body: (inout TokenBucket) -> Allowance
    ) -> Allowance {
      var bucket = newer[subject] ?? older[subject] ?? TokenBucket(limit, at: now)
      let allowance = body(&bucket)
      if newer.count >= RateLimiter.generationSize, newer[subject] == nil {
        older = newer
        newer = [:]
      }
      newer[subject] = bucket
      return allowance
    }
  }

  init(_ limits: RateLimits) { self.limits = limits }

  func take(_ subject: LimitSubject, at now: ContinuousClock.Instant = .now) -> Allowance {
    let limit = limit(of: subject)
    return generations.withLock { $0.update(subject, limit, at: now) { $0.take(limit, at: now) } }
  }

  /// What is left, without counting: for probes and scrapers, which must not run dry.
  func look(_ subject: LimitSubject, at now: ContinuousClock.Instant = .now) -> Allowance {
    let limit = limit(of: subject)
    return generations.withLock { $0.update(subject, limit, at: now) { $0.look(limit, at: now) } }
  }

  private func limit(of subject: LimitSubject) -> RateLimit {
    switch subject {
    case .operator: limits.operator
    case .key: limits.key
    case .address: limits.address
    }
  }
}

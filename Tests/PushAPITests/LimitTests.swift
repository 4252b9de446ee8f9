import HTTP
import Testing

@testable import PushAPI

@Suite struct LimitTests {
  private let start = ContinuousClock.now
  private let limit = RateLimit(burst: 3, perSecond: 0.5)

  @Test func aBucketGivesItsBurstAndRefills() {
    var bucket = TokenBucket(limit, at: start)
    #expect(bucket.take(limit, at: start) == Allowance(limit: 3, remaining: 2, resetAfter: 2, retryAfter: nil))
    _ = bucket.take(limit, at: start)
    #expect(bucket.take(limit, at: start) == Allowance(limit: 3, remaining: 0, resetAfter: 6, retryAfter: nil))
    // Half a token a second: one whole after two.
    #expect(bucket.take(limit, at: start).retryAfter == 2)
    #expect(bucket.take(limit, at: start + .seconds(1)).retryAfter == 1)
    #expect(bucket.take(limit, at: start + .seconds(2)).retryAfter == nil)
  }

  @Test func aBucketIsNeverFullerThanItsBurst() {
    var bucket = TokenBucket(limit, at: start)
    #expect(bucket.look(limit, at: start + .seconds(3600)).remaining == 3)
  }

  @Test func aClockThatStepsBackGivesNothingAway() {
    var bucket = TokenBucket(limit, at: start)
    for _ in 0..<3 { _ = bucket.take(limit, at: start) }
    #expect(bucket.take(limit, at: start - .seconds(3600)).retryAfter == 2)
  }

  @Test func memoryIsBoundedHoweverManyCallersCome() {
    var limits = RateLimits()
    limits.address = RateLimit(burst: 1, perSecond: 0.001)
    let limiter = RateLimiter(limits)
    _ = limiter.take(.address("first"), at: start)
    #expect(limiter.take(.address("first"), at: start).retryAfter != nil)
    for index in 0..<(RateLimiter.generationSize * 2) { _ = limiter.take(.address("\(index)"), at: start) }
    // Forgotten, which errs on the generous side.
    #expect(limiter.take(.address("first"), at: start).retryAfter == nil)
  }

  @Test func everyAnswerTellsWhatIsLeft() async throws {
    let tenant = try await Tenant.make()
    let answers = [
      try await tenant.api.call(.get, "messages", tenant.appKey), try await tenant.api.call(.get, "messages"),
      try await tenant.api.call(.get, "nowhere"), try await tenant.api.call(.put, "messages"),
      try await tenant.api.call(.options, "messages"), try await tenant.api.call(.get, "/healthz"),
      try await tenant.send("{"),
    ]
    for answer in answers {
      for name in ["RateLimit-Limit", "RateLimit-Remaining", "RateLimit-Reset"] {
        #expect(Int(answer.response.fields[name] ?? "") != nil, "\(answer.status) \(name)")
      }
    }
  }

  @Test func aCallerOverItsLimitIsToldWhenToComeBack() async throws {
    var limits = RateLimits()
    limits.address = RateLimit(burst: 2, perSecond: 0.01)
    let api = try await TestAPI.make(limits: limits)
    for _ in 0..<2 { #expect(try await api.call(.get, "messages").status == 401) }
    let over = try await api.call(.get, "messages")
    #expect(over.status == 429)
    #expect(over.code == "rate_limited")
    #expect(over.response.fields["Retry-After"] == "100")
    #expect(over.response.fields["RateLimit-Remaining"] == "0")
    // Somebody else, the operator, and a probe from the same address are not meant.
    #expect(try await api.call(.get, "messages", address: "192.0.2.2").status == 401)
    #expect(try await api.call(.get, "accounts", .operator).status == 200)
    #expect(try await api.call(.get, "/healthz").status == 200)
  }

  @Test func keysAreCountedApart() async throws {
    var limits = RateLimits()
    limits.key = RateLimit(burst: 4, perSecond: 0.01)
    let api = try await TestAPI.make(limits: limits)
    let one = try await Tenant.make(api)
    let two = try await Tenant.make(api)
    for _ in 0..<4 { #expect(try await api.call(.get, "messages", one.appKey).status == 200) }
    #expect(try await api.call(.get, "messages", one.appKey).status == 429)
    #expect(try await api.call(.get, "messages", two.appKey).status == 200)
  }
}

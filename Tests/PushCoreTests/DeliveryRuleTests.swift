import PushCore
import Testing

@Suite struct RetryPolicyTests {
  private let now = Timestamp(seconds: 1_764_626_400)
  private let policy = RetryPolicy()

  private func delay(_ attempt: Int16, wish: Int64? = nil, ttl: Int64 = 86_400, random: Double = 1) -> Int64? {
    policy.delay(
      afterAttempt: attempt, wish: wish.map(Seconds.init), now: now, expiresAt: now.advanced(bySeconds: ttl),
      random: random)?.count
  }

  @Test func delaysDoubleUpToTheCap() {
    #expect((1...12).map { delay(Int16($0)) } == [2, 4, 8, 16, 32, 64, 128, 256, 512, 900, 900, 900])
  }

  @Test func jitterHalvesAtMost() {
    #expect(delay(5, random: 0) == 16)
  }

  @Test func theProvidersWishIsHonouredWithinTheCap() {
    #expect(delay(1, wish: 60) == 60)
    #expect(delay(1, wish: 100_000) == 900)
  }

  @Test func nothingIsTriedAfterItsTimeToLive() {
    #expect(delay(3, ttl: 8) == nil)
    #expect(delay(3, ttl: 9) == 8)
  }

  @Test func attemptsEnd() {
    #expect(delay(50) == nil)
  }
}

@Suite struct TokenBrakeTests {
  @Test func anAbnormalShareOfDeadTokensTurnsItOn() {
    var brake = TokenBrake()
    for _ in 0..<19 { brake.count(dead: true) }
    // Nineteen prove nothing yet.
    #expect(!brake.isOn)
    brake.count(dead: true)
    #expect(brake.isOn)
  }

  @Test func aFewDeadAmongManyDoNot() {
    var brake = TokenBrake()
    for number in 0..<1000 { brake.count(dead: number.isMultiple(of: 20)) }
    #expect(!brake.isOn)
  }

  @Test func theMemoryOfAnIncidentEnds() {
    var brake = TokenBrake()
    for _ in 0..<400 { brake.count(dead: true) }
    #expect(brake.isOn)
    for _ in 0..<1100 { brake.count(dead: false) }
    #expect(!brake.isOn)
  }
}

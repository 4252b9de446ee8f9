import Testing

@testable import APNs

@Suite struct BackoffTests {
  @Test func itDoublesUpToItsCap() {
    var backoff = Backoff(base: .milliseconds(100), cap: .seconds(1))
    let waits = (0..<6).map { _ in backoff.fail(random: 1) }
    #expect(
      waits == [
        .milliseconds(100), .milliseconds(200), .milliseconds(400), .milliseconds(800), .seconds(1), .seconds(1),
      ])
  }

  @Test func chanceTakesUpToHalfOfIt() {
    var low = Backoff(base: .seconds(1), cap: .seconds(8))
    var high = low
    #expect(low.fail(random: 0) == .milliseconds(500))
    #expect(high.fail(random: 0.5) == .milliseconds(750))
  }

  @Test func manyFailuresDoNotOverflow() {
    var backoff = Backoff(base: .seconds(1), cap: .seconds(30))
    for _ in 0..<10_000 { #expect(backoff.fail(random: 1) <= .seconds(30)) }
    backoff.reset()
    #expect(backoff.fail(random: 1) == .seconds(1))
  }
}

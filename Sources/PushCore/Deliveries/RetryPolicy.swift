/// When a delivery is tried again: capped exponential backoff with jitter, never past the message's time to live.
package struct RetryPolicy: Sendable, Hashable {
  /// The delay after the first attempt.
  package var base: Double = 2
  /// No delay is longer, the provider's own wish included.
  package var cap: Double = 900
  /// After so many attempts it has failed, whatever the time to live. At the cap that is about half a day.
  package var maximumAttempts: Int16 = 50

  package init() {}

  /// `nil` when there is no use in another attempt before `expiresAt`. `random` is in 0..<1.
  package func delay(
    afterAttempt attempt: Int16, wish: Seconds?, now: Timestamp, expiresAt: Timestamp, random: Double
  ) -> Seconds? {
    guard attempt < maximumAttempts else { return nil }
    let exponential = min(cap, base * Double(1 << min(Int(attempt) - 1, 16)))
    // Between half and the whole of it: spread out, yet never almost at once.
    let jittered = exponential * (0.5 + random / 2)
    let seconds = max(jittered, min(cap, wish.map { Double($0.count) } ?? 0))
    let delay = Seconds(Int64(seconds.rounded(.up)))
    guard now.advanced(bySeconds: delay.count) < expiresAt else { return nil }
    return delay
  }
}

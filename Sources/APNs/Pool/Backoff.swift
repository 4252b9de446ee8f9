/// Capped exponential backoff with jitter: how long to leave something alone that has failed so often in a row.
///
/// A plain value. Chance is a parameter, so that a test can fix it.
struct Backoff: Sendable, Hashable {
  let base: Duration
  let cap: Duration
  private(set) var failures = 0

  init(base: Duration, cap: Duration) {
    self.base = base
    self.cap = cap
  }

  /// The wait after one more failure: between half and the whole of the exponential, so that many processes that fail together
  /// do not come back together. `random` is in 0..<1.
  mutating func fail(random: Double) -> Duration {
    let exponential = min(cap, base * (1 << min(failures, 20)))
    failures += 1
    return exponential * (0.5 + random / 2)
  }

  mutating func reset() { failures = 0 }
}

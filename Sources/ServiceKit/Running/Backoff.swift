/// How long to wait before the next try: doubling up to a cap, with jitter. A plain value, owned by whoever tries.
package struct Backoff: Sendable, Hashable {
  private let base: Duration
  private let cap: Duration
  private var failures = 0

  package init(base: Duration, cap: Duration) {
    self.base = base
    self.cap = cap
  }

  package mutating func reset() { failures = 0 }

  /// Counts a failure; between half and the whole of the doubled delay. `random` is in 0..<1.
  package mutating func next(random: Double = .random(in: 0..<1)) -> Duration {
    let whole = min(cap, base * (1 << min(failures, 20)))
    failures += 1
    return whole / 2 + (whole / 2) * random
  }
}

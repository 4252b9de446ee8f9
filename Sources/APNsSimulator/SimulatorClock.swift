internal import Glibc

/// The simulator's wall clock, replaceable so that tests can move an hour in no time. Latencies use the loop's own timers.
package struct SimulatorClock: Sendable {
  /// Milliseconds since 1970.
  package let now: @Sendable () -> Int64

  package init(now: @escaping @Sendable () -> Int64) { self.now = now }

  package static let system = SimulatorClock {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000
  }
}

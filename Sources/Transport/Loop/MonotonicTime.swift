internal import Glibc

/// A reading of the system's monotonic clock (`CLOCK_MONOTONIC`): it never jumps, and it stands still while the
/// machine sleeps.
package struct MonotonicTime: Sendable, Hashable, Comparable {
  package let nanoseconds: UInt64

  package init(nanoseconds: UInt64) { self.nanoseconds = nanoseconds }

  package static func current() -> MonotonicTime {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return MonotonicTime(nanoseconds: UInt64(time.tv_sec) &* 1_000_000_000 &+ UInt64(time.tv_nsec))
  }

  package static func < (left: MonotonicTime, right: MonotonicTime) -> Bool { left.nanoseconds < right.nanoseconds }

  /// A moment too far away to be told, and a negative duration, are clamped.
  package static func + (time: MonotonicTime, duration: Duration) -> MonotonicTime {
    let (seconds, attoseconds) = duration.components
    guard seconds >= 0, attoseconds >= 0 else { return time }
    let (whole, overflow) = UInt64(seconds).multipliedReportingOverflow(by: 1_000_000_000)
    guard !overflow else { return MonotonicTime(nanoseconds: .max) }
    let (sum, sumOverflow) = time.nanoseconds.addingReportingOverflow(whole &+ UInt64(attoseconds / 1_000_000_000))
    return MonotonicTime(nanoseconds: sumOverflow ? .max : sum)
  }

  /// Zero when `earlier` is in fact later.
  package func since(_ earlier: MonotonicTime) -> Duration {
    .nanoseconds(Int64(clamping: nanoseconds > earlier.nanoseconds ? nanoseconds - earlier.nanoseconds : 0))
  }
}

internal import Glibc

/// An instant: microseconds since 1970-01-01T00:00:00Z, the resolution of PostgreSQL's clock.
///
/// A plain value. Comparisons that decide about the queue are made by the database's clock, not with ``now()``.
package struct Timestamp: Hashable, Comparable, Sendable {
  package let microseconds: Int64

  package init(microseconds: Int64) { self.microseconds = microseconds }
  package init(milliseconds: Int64) { microseconds = milliseconds * 1000 }
  package init(seconds: Int64) { microseconds = seconds * 1_000_000 }

  /// This machine's wall clock.
  package static func now() -> Timestamp {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return Timestamp(microseconds: Int64(time.tv_sec) * 1_000_000 + Int64(time.tv_nsec) / 1000)
  }

  /// Whole seconds, rounded down: the form in APNs headers and provider tokens.
  package var secondsSinceEpoch: Int64 {
    microseconds >= 0 ? microseconds / 1_000_000 : (microseconds - 999_999) / 1_000_000
  }

  package static func < (left: Timestamp, right: Timestamp) -> Bool { left.microseconds < right.microseconds }

  package func advanced(bySeconds seconds: Int64) -> Timestamp {
    Timestamp(microseconds: microseconds + seconds * 1_000_000)
  }
}

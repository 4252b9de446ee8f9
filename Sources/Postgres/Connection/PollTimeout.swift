extension ContinuousClock.Instant {
  /// Milliseconds from now for `poll`, rounded up; nil when the instant has passed.
  var pollTimeout: Int32? {
    let remaining = ContinuousClock.now.duration(to: self)
    guard remaining > .zero else { return nil }
    let (seconds, attoseconds) = remaining.components
    guard seconds < 1_000_000 else { return 1_000_000_000 }
    return Int32(seconds * 1000 + (attoseconds + 999_999_999_999_999) / 1_000_000_000_000_000)
  }
}

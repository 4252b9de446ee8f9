/// One call on a connection, from sending to the end of its results: its deadline and whether it is being stopped.
///
/// A value on the connection's thread; it never leaves the call.
struct Operation {
  enum Phase: Equatable {
    case running
    /// The server was asked to cancel; after `graceEnd` the connection is given up.
    case stopping(StopReason, graceEnd: ContinuousClock.Instant)
  }

  enum StopReason: Equatable {
    case deadline
    case cancellation
  }

  let id: UInt64
  let deadline: ContinuousClock.Instant
  var phase = Phase.running

  var limit: ContinuousClock.Instant {
    switch phase {
    case .running: deadline
    case .stopping(_, let graceEnd): graceEnd
    }
  }

  /// Milliseconds until `limit`, rounded up and at least 0.
  var pollTimeout: Int32 {
    let remaining = ContinuousClock.now.duration(to: limit)
    guard remaining > .zero else { return 0 }
    let (seconds, attoseconds) = remaining.components
    guard seconds < 1_000_000 else { return 1_000_000_000 }
    return Int32(seconds * 1000 + (attoseconds + 999_999_999_999_999) / 1_000_000_000_000_000)
  }
}

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
}

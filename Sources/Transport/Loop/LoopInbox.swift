/// What other threads have asked an event loop to do, and whether its thread is still there to do it.
///
/// A plain value behind the loop's lock; it does no I/O.
struct LoopInbox {
  enum Work {
    case job(UnownedJob)
    case body(@Sendable () -> Void)
  }

  enum Phase {
    case running
    /// The thread has been told to end and still serves the queue.
    case stopping
    /// The thread is gone and the queue is empty.
    case ended
    /// Late work arrived after the end; a thread of its own is running it.
    case late
  }

  /// What the caller of `add` has to do, after it let go of the lock.
  enum Consequence {
    case nothing
    case wakeLoop
    case startLateThread
  }

  private(set) var phase = Phase.running
  private var work: [Work] = []
  private var waitingForEnd: [CheckedContinuation<Void, Never>] = []

  var isEmpty: Bool { work.isEmpty }

  mutating func add(_ item: Work) -> Consequence {
    work.append(item)
    switch phase {
    case .running, .stopping: return work.count == 1 ? .wakeLoop : .nothing
    case .late: return .nothing
    case .ended:
      phase = .late
      return .startLateThread
    }
  }

  /// Exchanges the queue for `batch`, which must be empty, so that both keep their storage.
  mutating func take(into batch: inout [Work]) {
    swap(&work, &batch)
  }

  /// False if the loop was stopping or gone already.
  mutating func stop() -> Bool {
    guard phase == .running else { return false }
    phase = .stopping
    return true
  }

  /// Nil while there is work left; otherwise the phase is now `ended` and these are to be resumed.
  mutating func endIfEmpty() -> [CheckedContinuation<Void, Never>]? {
    guard work.isEmpty else { return nil }
    phase = .ended
    defer { waitingForEnd = [] }
    return waitingForEnd
  }

  /// False if there is nothing to wait for.
  mutating func waitForEnd(_ continuation: CheckedContinuation<Void, Never>) -> Bool {
    switch phase {
    case .running, .stopping:
      waitingForEnd.append(continuation)
      return true
    case .ended, .late: return false
    }
  }
}

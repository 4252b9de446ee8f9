import Transport

/// How the end of a server went.
package enum DrainOutcome: Sendable, Hashable {
  /// Every request was answered and every handler has returned.
  case clean
  /// Time ran out; so many handlers were still running, and their tasks have been cancelled.
  case abandoned(requests: Int)
}

/// A drain under way and who waits for its end. Owned by its group, on the loop's thread; each waiter is told once.
final class Drain {
  private var outcome: DrainOutcome?
  private var waiting: [(DrainOutcome) -> Void]
  private let timer: LoopTimer

  init(_ completion: @escaping (DrainOutcome) -> Void, timer: LoopTimer) {
    waiting = [completion]
    self.timer = timer
  }

  /// Told at once if the drain has ended already.
  func add(_ completion: @escaping (DrainOutcome) -> Void) {
    if let outcome { return completion(outcome) }
    waiting.append(completion)
  }

  func end(_ outcome: DrainOutcome) {
    guard self.outcome == nil else { return }
    self.outcome = outcome
    timer.cancel()
    let told = waiting
    waiting = []
    for completion in told { completion(outcome) }
  }
}

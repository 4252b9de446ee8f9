internal import Glibc

/// A few threads for calls that block or compute for long (password hashing, name look-ups), so that no loop and no cooperative thread
/// waits for them. The queue is bounded: a call that finds it full fails at once.
///
/// Owned by the composition root; any thread. Ends with ``stop()``: calls that wait are refused, running ones are waited for.
package final class BlockingPool: Sendable {
  package enum Failure: Error, Sendable, Hashable { case full, stopped }

  private struct State {
    var calls: [@Sendable (Failure?) -> Void] = []
    var isStopped = false
  }
  private let state: Lock<State>
  private let signal: Semaphore
  private let threads: [OSThread]
  private let maximumWaiting: Int

  package init(threads count: Int, maximumWaiting: Int = 256) {
    precondition(count > 0 && maximumWaiting > 0)
    self.maximumWaiting = maximumWaiting
    let state = Lock(State())
    let signal = Semaphore()
    self.state = state
    self.signal = signal
    threads = (0..<count).map { number in
      OSThread(name: "blocking-\(number)") { Self.work(state, signal) }
    }
  }

  package func run<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) async throws -> Value {
    try await withCheckedThrowingContinuation { continuation in
      let refusal = state.withLock { state -> Failure? in
        if state.isStopped { return .stopped }
        guard state.calls.count < maximumWaiting else { return .full }
        state.calls.append { failure in
          if let failure {
            continuation.resume(throwing: failure)
          } else {
            continuation.resume(with: Result(catching: body))
          }
        }
        return nil
      }
      if let refusal { continuation.resume(throwing: refusal) } else { signal.signal() }
    }
  }

  /// Blocks until running calls have ended; not to be called from one of them.
  package func stop() {
    let waiting = state.withLock { state in
      state.isStopped = true
      defer { state.calls = [] }
      return state.calls
    }
    for call in waiting { call(.stopped) }
    for _ in threads { signal.signal() }
    for thread in threads { thread.join() }
  }

  private static func work(_ state: Lock<State>, _ signal: Semaphore) {
    while true {
      signal.wait()
      let (call, isStopped) = state.withLock { state in
        (state.calls.isEmpty ? nil : state.calls.removeFirst(), state.isStopped)
      }
      call?(nil)
      if isStopped { return }
    }
  }
}

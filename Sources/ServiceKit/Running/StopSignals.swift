internal import CLinux
internal import Glibc

/// SIGINT and SIGTERM as something to wait for. The first asks for an orderly stop; a second ends the process at once.
///
/// Made first thing in a command, before any other thread: the signals are blocked in the making thread, and threads made later
/// inherit that. Lives as long as the process.
package final class StopSignals: Sendable {
  private struct State {
    var came = false
    var waiters: [Int: CheckedContinuation<Void, Never>] = [:]
    var made = 0
  }
  private let state: Lock<State>

  /// Exit status after a second signal: work was abandoned.
  private static let hardStop: Int32 = 130

  package init() {
    // A peer that closes its end must not end the process: writes report it.
    signal(SIGPIPE, SIG_IGN)
    var signals = sigset_t()
    sigemptyset(&signals)
    sigaddset(&signals, SIGINT)
    sigaddset(&signals, SIGTERM)
    pthread_sigmask(SIG_BLOCK, &signals, nil)
    let state = Lock(State())
    self.state = state
    _ = OSThread(name: "signals") { [signals] in
      var signals = signals
      var number: Int32 = 0
      while sigwait(&signals, &number) == 0 {
        let waiters = state.withLock { state -> [Int: CheckedContinuation<Void, Never>]? in
          guard !state.came else { return nil }
          state.came = true
          defer { state.waiters = [:] }
          return state.waiters
        }
        guard let waiters else { _exit(Self.hardStop) }
        for waiter in waiters.values { waiter.resume() }
      }
    }
  }

  /// Returns when the first signal has come, or the waiting task is cancelled.
  package func first() async {
    let number = state.withLock { state in
      state.made += 1
      return state.made
    }
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let isOver = state.withLock { state in
          let isOver = state.came || Task.isCancelled
          if !isOver { state.waiters[number] = continuation }
          return isOver
        }
        if isOver { continuation.resume() }
      }
    } onCancel: {
      state.withLock { $0.waiters.removeValue(forKey: number) }?.resume()
    }
  }
}

internal import CLinux
internal import Glibc

/// SIGINT and SIGTERM as something to wait for. The first asks for an orderly stop; a second ends the process at once.
///
/// Made once, first thing in a command; lives as long as the process. Handlers and not `sigwait`, because the runtime parks the main
/// thread in a call that unblocks every signal.
package final class StopSignals: Sendable {
  private struct State {
    var came = false
    var waiters: [Int: CheckedContinuation<Void, Never>] = [:]
    var made = 0
  }
  private let state = Lock(State())

  /// Exit status after a second signal: work was abandoned.
  private static let hardStop: Int32 = 130

  package init() {
    // A peer that closes its end must not end the process: writes report it.
    signal(SIGPIPE, SIG_IGN)
    precondition(arrivals >= 0, "the system gave no descriptor for signals")
    for number in [SIGINT, SIGTERM] {
      var action = sigaction()
      action.__sigaction_handler.sa_handler = { _ in eventfd_write(arrivals, 1) }
      action.sa_flags = SA_RESTART
      sigaction(number, &action, nil)
    }
    _ = OSThread(name: "signals") { [state] in
      var value: UInt64 = 0
      while eventfd_read(arrivals, &value) == 0 {
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

/// Counts signals that have come and not been taken: a handler may do little more than this. Made before the handlers are set.
private let arrivals = eventfd(0, Int32(EFD_CLOEXEC | EFD_SEMAPHORE))

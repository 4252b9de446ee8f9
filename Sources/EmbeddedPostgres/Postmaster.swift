internal import Glibc
internal import ServiceKit

/// The running server process: who may signal it, and who waits for its end.
///
/// Shared by the cluster and its keeper thread. A signal is only sent while the process is known not to have been
/// reaped, so it cannot reach a stranger with the same number.
final class Postmaster: Sendable {
  private enum State {
    case running(pid_t)
    case ended
  }

  private struct Shared {
    var state: State
    var waiters: [UInt64: CheckedContinuation<Bool, Never>] = [:]
    var lastWaiter: UInt64 = 0
  }

  private let shared: Lock<Shared>

  init(_ process: pid_t) { shared = Lock(Shared(state: .running(process))) }

  var isRunning: Bool { process != nil }

  var process: pid_t? {
    shared.withLock { shared in
      guard case .running(let process) = shared.state else { return nil }
      return process
    }
  }

  func signal(_ number: Int32) {
    shared.withLock { shared in
      guard case .running(let process) = shared.state else { return }
      kill(process, number)
    }
  }

  /// Keeper thread: blocks until the process ends, reaps it and tells everyone.
  func waitForEndOfProcess(_ process: pid_t) {
    var information = siginfo_t()
    // WNOWAIT leaves it unreaped, so that its number stays its own until the state says that it ended.
    while waitid(P_PID, id_t(process), &information, WEXITED | WNOWAIT) != 0 && errno == EINTR {}
    let waiters = shared.withLock { shared in
      shared.state = .ended
      _ = ChildProcess.wait(for: process)
      defer { shared.waiters = [:] }
      return Array(shared.waiters.values)
    }
    for waiter in waiters { waiter.resume(returning: true) }
  }

  /// True once the process has ended, false when it has not within `timeout`.
  func hasEnded(within timeout: Duration?) async -> Bool {
    let id = shared.withLock { shared in
      shared.lastWaiter += 1
      return shared.lastWaiter
    }
    let timer = timeout.map { timeout in
      Task {
        guard (try? await Task.sleep(for: timeout)) != nil else { return }
        shared.withLock { $0.waiters.removeValue(forKey: id) }?.resume(returning: false)
      }
    }
    defer { timer?.cancel() }
    return await withCheckedContinuation { continuation in
      let hasEnded = shared.withLock { shared in
        switch shared.state {
        case .ended: return true
        case .running:
          shared.waiters[id] = continuation
          return false
        }
      }
      if hasEnded { continuation.resume(returning: true) }
    }
  }
}

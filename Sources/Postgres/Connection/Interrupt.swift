internal import CLinux
internal import Glibc
internal import ServiceKit

/// Wakes a connection's thread out of `poll` from another thread, naming the operation that is meant.
///
/// Shared by one connection, the cancellation handlers of its callers and its cancel threads; the descriptor is closed
/// with the last of them.
final class Interrupt: Sendable {
  private struct State {
    var cancelledOperation: UInt64 = 0
    var finishedCancel: UInt64 = 0
    var isAborted = false
  }

  private let state = Lock(State())
  let descriptor: Int32

  init() throws(PostgresError) {
    descriptor = eventfd(0, Int32(EFD_NONBLOCK) | Int32(EFD_CLOEXEC))
    guard descriptor >= 0 else { throw PostgresError(.limitExceeded, reason: "no descriptor for an eventfd") }
  }

  deinit { close(descriptor) }

  /// The caller of operation `id` no longer wants it. A no-op once that operation has ended.
  func cancel(operation id: UInt64) {
    state.withLock { $0.cancelledOperation = max($0.cancelledOperation, id) }
    wake()
  }

  /// The cancel request sent for operation `id` was answered or failed; it will not hit a later statement.
  func finishCancel(of id: UInt64) {
    state.withLock { $0.finishedCancel = max($0.finishedCancel, id) }
    wake()
  }

  /// Every operation, the present one and later ones, ends at once. There is no way back.
  func abort() {
    state.withLock { $0.isAborted = true }
    wake()
  }

  func isCancelled(_ id: UInt64) -> Bool { state.withLock { $0.cancelledOperation >= id } }
  func isCancelFinished(of id: UInt64) -> Bool { state.withLock { $0.finishedCancel >= id } }
  var isAborted: Bool { state.withLock { $0.isAborted } }

  /// Connection's thread only: forgets the wake-ups so far.
  func drain() {
    var count: UInt64 = 0
    _ = read(descriptor, &count, 8)
  }

  private func wake() {
    var one: UInt64 = 1
    _ = write(descriptor, &one, 8)
  }
}

internal import CLibPQ
internal import CLinux
internal import Glibc

/// Owns one `PGcancel`: what is needed to ask the server, over a connection of its own, to stop the present statement.
///
/// Made on the connection's thread, consumed by `send`, which works on a thread of its own: `PQcancel` blocks until the
/// server closes that second connection, and a server that is gone never does.
struct CancelHandle: ~Copyable {
  private let raw: OpaquePointer

  /// nil when the connection is already gone.
  init?(of connection: borrowing ConnectionHandle) {
    guard let raw = PQgetCancel(connection.raw) else { return nil }
    self.raw = raw
  }

  deinit { PQfreeCancel(raw) }

  /// Sends the request and tells `interrupt` when it can no longer hit a later statement. False when no thread could be
  /// started; then nothing was sent.
  consuming func send(for operation: UInt64, tell interrupt: Interrupt) -> Bool {
    let request = CancelRequest(cancel: raw, operation: operation, interrupt: interrupt)
    discard self
    let context = Unmanaged.passRetained(request)
    var thread = pthread_t()
    guard pthread_create(&thread, nil, { sendCancelRequest($0) }, context.toOpaque()) == 0 else {
      context.release()
      return false
    }
    pthread_detach(thread)
    return true
  }
}

/// What a cancel thread carries: it alone uses and frees the `PGcancel`.
private final class CancelRequest {
  let cancel: OpaquePointer
  let operation: UInt64
  let interrupt: Interrupt

  init(cancel: OpaquePointer, operation: UInt64, interrupt: Interrupt) {
    self.cancel = cancel
    self.operation = operation
    self.interrupt = interrupt
  }

  deinit { PQfreeCancel(cancel) }
}

private func sendCancelRequest(_ context: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
  pthread_setname_np(pthread_self(), "postgres-cancel")
  let request = Unmanaged<CancelRequest>.fromOpaque(context!).takeRetainedValue()
  withUnsafeTemporaryAllocation(of: CChar.self, capacity: 256) { message in
    _ = PQcancel(request.cancel, message.baseAddress, 256)
  }
  request.interrupt.finishCancel(of: request.operation)
  return nil
}

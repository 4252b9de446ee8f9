internal import CNGHTTP2

/// Owns one `nghttp2_session`; freed with its owner. On its connection's loop only.
struct SessionHandle: ~Copyable {
  let raw: OpaquePointer

  /// `context` comes back in every callback and must outlive the session.
  init(client callbacks: borrowing CallbackTable, context: UnsafeMutableRawPointer) {
    var session: OpaquePointer?
    let status = nghttp2_session_client_new(&session, callbacks.raw, context)
    guard status == 0, let session else { preconditionFailure("nghttp2 has no memory for a session") }
    raw = session
  }

  init(server callbacks: borrowing CallbackTable, context: UnsafeMutableRawPointer) {
    var session: OpaquePointer?
    let status = nghttp2_session_server_new(&session, callbacks.raw, context)
    guard status == 0, let session else { preconditionFailure("nghttp2 has no memory for a session") }
    raw = session
  }

  deinit { nghttp2_session_del(raw) }

  /// The next bytes to send, owned by the session and valid until the next call; `nil` when there are none; throws nothing:
  /// a failure is reported as `failed`.
  func nextOutput() -> Output {
    var bytes: UnsafePointer<UInt8>?
    let count = nghttp2_session_mem_send(raw, &bytes)
    guard count >= 0 else { return .failed }
    guard count > 0, let bytes else { return .none }
    return .bytes(UnsafeRawBufferPointer(start: bytes, count: count))
  }

  enum Output {
    case none
    case bytes(UnsafeRawBufferPointer)
    case failed
  }

  /// Whether the session neither reads nor writes any more.
  var isOver: Bool { nghttp2_session_want_read(raw) == 0 && nghttp2_session_want_write(raw) == 0 }
}

/// Owns the callbacks that a session is made with; the session copies them.
struct CallbackTable: ~Copyable {
  let raw: OpaquePointer

  init() {
    var callbacks: OpaquePointer?
    let status = nghttp2_session_callbacks_new(&callbacks)
    guard status == 0, let callbacks else { preconditionFailure("nghttp2 has no memory for callbacks") }
    raw = callbacks
  }

  deinit { nghttp2_session_callbacks_del(raw) }
}

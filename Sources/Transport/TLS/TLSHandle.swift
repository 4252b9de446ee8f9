internal import COpenSSL

/// OpenSSL's state of one TLS connection (`SSL`); freed with its owner. It uses, but does not own, the socket.
struct TLSHandle: ~Copyable {
  private let raw: OpaquePointer

  init(_ context: borrowing TLSContextHandle, borrowing descriptor: Int32) throws(TransportError) {
    OpenSSLFailure.clear()
    guard let session = context.withContext({ SSL_new($0) }) else {
      throw TransportError(.system, OpenSSLFailure.drain().text)
    }
    guard let bio = SocketBIO.make(borrowing: descriptor) else {
      SSL_free(session)
      throw TransportError(.system, OpenSSLFailure.drain().text)
    }
    // One reference serves both directions and is freed with the session.
    SSL_set_bio(session, bio, bio)
    raw = session
  }

  deinit { SSL_free(raw) }

  @inline(__always)
  func withSSL<Result>(_ body: (OpaquePointer) -> Result) -> Result { body(raw) }
}

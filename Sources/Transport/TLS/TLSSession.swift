internal import COpenSSL

/// One TLS connection over one socket; owned by one channel, on its loop's thread. Freed, and its socket closed, with its
/// owner.
struct TLSSession: ~Copyable {
  enum HandshakeOutcome {
    case done
    case wouldBlock
    case failed(TransportError)
  }

  private let handle: TLSHandle
  private let socket: Socket
  /// The server context, to which OpenSSL calls back, or the client context.
  private let owner: AnyObject

  /// - Parameter host: the name or numeric address that the server's certificate must be for.
  init(client context: TLSClientContext, host: String, taking socket: consuming Socket) throws(TransportError) {
    let made = try TLSHandle(context.handle, borrowing: socket.descriptor)
    let isNumeric = SocketAddress(numeric: host, port: 0) != nil
    let isAccepted = made.withSSL { ssl in
      SSL_set_connect_state(ssl)
      guard !isNumeric else { return X509_VERIFY_PARAM_set1_ip_asc(SSL_get0_param(ssl), host) == 1 }
      return SSL_set1_host(ssl, host) == 1 && shim_SSL_set_tlsext_host_name(ssl, host) == 1
    }
    guard isAccepted else { throw TransportError(.nameNotResolved, "\(host) is not a host name") }
    handle = made
    self.socket = socket
    owner = context
  }

  init(server context: TLSServerContext, taking socket: consuming Socket) throws(TransportError) {
    handle = try TLSHandle(context.handle, borrowing: socket.descriptor)
    self.socket = socket
    owner = context
    handle.withSSL { SSL_set_accept_state($0) }
  }

  var descriptor: Int32 { socket.descriptor }

  func handshake() -> HandshakeOutcome {
    let (status, error) = attempt { SSL_do_handshake($0) }
    guard status != 1 else { return .done }
    switch error {
    case SSL_ERROR_WANT_READ, SSL_ERROR_WANT_WRITE: return .wouldBlock
    case SSL_ERROR_SYSCALL: return .failed(TransportError(.connectionReset, "during the TLS handshake"))
    default: return .failed(handshakeError())
    }
  }

  /// The protocol both sides agreed on, nil without ALPN.
  func negotiatedProtocol() -> String? {
    var name: UnsafePointer<UInt8>?
    var length: UInt32 = 0
    handle.withSSL { SSL_get0_alpn_selected($0, &name, &length) }
    guard let name, length > 0 else { return nil }
    return String(decoding: UnsafeBufferPointer(start: name, count: Int(length)), as: UTF8.self)
  }

  func read(into buffer: UnsafeMutableRawBufferPointer) -> ReadOutcome {
    let (count, error) = attempt { SSL_read($0, buffer.baseAddress, Int32(clamping: buffer.count)) }
    guard count <= 0 else { return .bytes(Int(count)) }
    switch error {
    // WANT_WRITE: a key update waits for room; the writable event leads back here.
    case SSL_ERROR_WANT_READ, SSL_ERROR_WANT_WRITE: return .wouldBlock
    case SSL_ERROR_ZERO_RETURN: return .ended
    case SSL_ERROR_SYSCALL: return .failed(TransportError(.connectionReset))
    default: return .failed(streamError())
    }
  }

  /// Writes one record (16 KiB) at most.
  func write(_ bytes: UnsafeRawBufferPointer) -> WriteOutcome {
    let (count, error) = attempt { SSL_write($0, bytes.baseAddress, Int32(clamping: bytes.count)) }
    guard count <= 0 else { return .bytes(Int(count)) }
    switch error {
    case SSL_ERROR_WANT_READ, SSL_ERROR_WANT_WRITE: return .wouldBlock
    case SSL_ERROR_SYSCALL, SSL_ERROR_ZERO_RETURN: return .failed(TransportError(.connectionReset))
    default: return .failed(streamError())
    }
  }

  func endOutput() {
    // One attempt: the peer's own goodbye is not waited for, and a full socket buffer loses only politeness.
    _ = attempt { SSL_shutdown($0) }
    OpenSSLFailure.clear()
    socket.endOutput()
  }

  /// Calls OpenSSL with a clear error queue, as its classification of failures requires; `error` is SSL_ERROR_NONE if the
  /// call succeeded.
  @inline(__always)
  private func attempt(_ call: (OpaquePointer) -> Int32) -> (result: Int32, error: Int32) {
    handle.withSSL { ssl in
      OpenSSLFailure.clear()
      let result = call(ssl)
      return (result, result > 0 ? SSL_ERROR_NONE : SSL_get_error(ssl, result))
    }
  }

  private func streamError() -> TransportError {
    let failure = OpenSSLFailure.drain()
    let isTruncation = failure.reason == SSL_R_UNEXPECTED_EOF_WHILE_READING
    return TransportError(isTruncation ? .truncated : .tlsFailed, failure.text)
  }

  private func handshakeError() -> TransportError {
    let failure = OpenSSLFailure.drain()
    if let refusal = VerificationFailure.error(for: handle.withSSL({ SSL_get_verify_result($0) })) { return refusal }
    switch failure.reason {
    case SSL_R_TLSV1_ALERT_NO_APPLICATION_PROTOCOL, SSL_R_NO_APPLICATION_PROTOCOL:
      return TransportError(.wrongProtocol, failure.text)
    // OpenSSL refuses a protocol that was not offered before we can, as one bad extension among others.
    case SSL_R_BAD_EXTENSION where failure.function == "tls_parse_stoc_alpn":
      return TransportError(.wrongProtocol, "the peer chose a protocol that was not offered")
    case SSL_R_UNEXPECTED_EOF_WHILE_READING:
      return TransportError(.connectionReset, "the peer left during the TLS handshake")
    default: return TransportError(.tlsFailed, failure.text)
    }
  }
}

internal import COpenSSL
internal import ServiceKit

/// Settings shared by TLS sessions (`SSL_CTX`); freed with its owner, sessions made from it keep their own reference.
struct TLSContextHandle: ~Copyable {
  enum Role { case client, server }

  private let raw: OpaquePointer

  init(_ role: Role) throws(TransportError) {
    OpenSSLFailure.clear()
    let method: OpaquePointer
    switch role {
    case .client: method = TLS_client_method()
    case .server: method = TLS_server_method()
    }
    guard let context = SSL_CTX_new(method) else { throw TransportError(.system, OpenSSLFailure.drain().text) }
    shim_SSL_CTX_set_min_proto_version(context, TLS1_2_VERSION)
    shim_SSL_CTX_set_mode(
      context,
      Int(SSL_MODE_ENABLE_PARTIAL_WRITE) | Int(SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER) | Int(SSL_MODE_RELEASE_BUFFERS))
    // Several records per system call instead of two calls per record.
    shim_SSL_CTX_set_read_ahead(context, 1)
    SSL_CTX_set_default_read_buffer_len(context, 65536)
    shim_SSL_CTX_harden(context)
    shim_SSL_CTX_set_session_cache_mode(context, Int(SSL_SESS_CACHE_OFF))
    raw = context
  }

  deinit { SSL_CTX_free(raw) }

  func withContext<Result, Failure: Error>(
    _ body: (OpaquePointer) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try body(raw)
  }

  func use(_ identity: TLSIdentity) throws(TransportError) {
    let key = try PrivateKeyHandle(pem: identity.privateKeyPEM.exposed)
    var isLeaf = true
    try X509Handle.forEach(inPEM: identity.certificateChainPEM) { certificate throws(TransportError) in
      let status = certificate.withX509 {
        isLeaf ? SSL_CTX_use_certificate(raw, $0) : shim_SSL_CTX_add1_chain_cert(raw, $0)
      }
      guard status == 1 else { throw TransportError(.badCertificate, OpenSSLFailure.drain().text) }
      isLeaf = false
    }
    OpenSSLFailure.clear()
    let fits = key.withKey { SSL_CTX_use_PrivateKey(raw, $0) == 1 && SSL_CTX_check_private_key(raw) == 1 }
    guard fits else { throw TransportError(.badPrivateKey, OpenSSLFailure.drain().text) }
  }

  func trust(pem: [UInt8]) throws(TransportError) {
    try X509Handle.forEach(inPEM: pem) { certificate throws(TransportError) in
      let status = certificate.withX509 { X509_STORE_add_cert(SSL_CTX_get_cert_store(raw), $0) }
      guard status == 1 else { throw TransportError(.badCertificate, OpenSSLFailure.drain().text) }
    }
  }
}

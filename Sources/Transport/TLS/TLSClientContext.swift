internal import COpenSSL

/// What a TLS client trusts and offers: TLS 1.2 and later, the peer always verified including its name.
///
/// Immutable; shared by connectors and their sessions; freed with the last of them.
package final class TLSClientContext: @unchecked Sendable {
  // Proof of `Sendable`: the context is not changed after `init`, and OpenSSL counts references to it atomically; making
  // sessions from one context on several threads is documented as safe. `protocols` is immutable.

  /// Whose signature makes a certificate valid.
  package enum Trust: Sendable {
    case systemRoots
    /// The system's roots and those of a PEM text.
    case systemRootsAnd(pem: [UInt8])
    case only(pem: [UInt8])
  }

  let handle: TLSContextHandle
  let protocols: ProtocolList

  /// - Parameter protocols: offered by ALPN, most preferred first. Unless empty, the server must choose one of them, or
  ///   connecting fails with `noProtocolNegotiated` or `wrongProtocol`.
  package init(trust: Trust = .systemRoots, protocols: [String] = []) throws(TransportError) {
    let handle = try TLSContextHandle(.client)
    switch trust {
    case .systemRoots: try Self.trustSystemRoots(handle)
    case .systemRootsAnd(let pem):
      try Self.trustSystemRoots(handle)
      try handle.trust(pem: pem)
    case .only(let pem): try handle.trust(pem: pem)
    }
    let list = ProtocolList(protocols)
    handle.withContext { context in
      SSL_CTX_set_verify(context, SSL_VERIFY_PEER, nil)
      if !list.isEmpty { SSL_CTX_set_alpn_protos(context, list.wire, UInt32(list.wire.count)) }
    }
    self.handle = handle
    self.protocols = list
  }

  private static func trustSystemRoots(_ handle: borrowing TLSContextHandle) throws(TransportError) {
    OpenSSLFailure.clear()
    guard handle.withContext({ SSL_CTX_set_default_verify_paths($0) }) == 1 else {
      throw TransportError(.badCertificate, OpenSSLFailure.drain().text)
    }
  }
}

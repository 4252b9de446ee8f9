internal import COpenSSL

/// What a TLS server shows and accepts: TLS 1.2 and later, one identity, a list of application protocols.
///
/// Immutable; shared by listeners and their sessions; freed with the last of them.
package final class TLSServerContext: @unchecked Sendable {
  // Proof of `Sendable`: the context is not changed after `init`, and OpenSSL counts references to it atomically; making
  // sessions from one context on several threads is documented as safe. `protocols` is immutable.

  /// What happens when the client offers none of our protocols.
  package enum ProtocolPolicy: Sendable {
    /// The handshake fails, as it also does when the client offers no protocol at all.
    case required
    /// The connection goes on without a protocol.
    case optional
    /// The first protocol is chosen whatever was offered: how a broken peer behaves, for tests and simulation.
    case imposed
  }

  let handle: TLSContextHandle
  let protocols: ProtocolList
  let policy: ProtocolPolicy

  /// - Parameter protocols: most preferred first; without any, the server ignores ALPN.
  package init(
    identity: TLSIdentity, protocols: [String] = [], policy: ProtocolPolicy = .optional
  ) throws(TransportError) {
    precondition(policy == .optional || !protocols.isEmpty, "a policy needs protocols")
    let handle = try TLSContextHandle(.server)
    try handle.use(identity)
    self.handle = handle
    self.protocols = ProtocolList(protocols)
    self.policy = policy
    guard !protocols.isEmpty else { return }
    // Unretained: every session holds a reference to this object while handshakes can call back (`TLSSession.owner`).
    self.handle.withContext { context in
      SSL_CTX_set_alpn_select_cb(context, selectProtocol, Unmanaged.passUnretained(self).toOpaque())
    }
  }

  /// Called by OpenSSL during a handshake; what it returns must stay valid, as `wire` does with the context.
  fileprivate func select(
    from offer: UnsafePointer<UInt8>, _ offerLength: UInt32,
    _ chosen: UnsafeMutablePointer<UnsafePointer<UInt8>?>, _ chosenLength: UnsafeMutablePointer<UInt8>
  ) -> Int32 {
    protocols.wire.withUnsafeBufferPointer { ours in
      let first = ours.baseAddress.unsafelyUnwrapped
      if policy == .imposed {
        chosen.pointee = first + 1
        chosenLength.pointee = first.pointee
        return SSL_TLSEXT_ERR_OK
      }
      var match: UnsafeMutablePointer<UInt8>?
      let outcome = SSL_select_next_proto(&match, chosenLength, first, UInt32(ours.count), offer, offerLength)
      if outcome == OPENSSL_NPN_NEGOTIATED {
        chosen.pointee = UnsafePointer(match)
        return SSL_TLSEXT_ERR_OK
      }
      return policy == .required ? SSL_TLSEXT_ERR_ALERT_FATAL : SSL_TLSEXT_ERR_NOACK
    }
  }
}

private let selectProtocol: SSL_CTX_alpn_select_cb_func = { _, chosen, chosenLength, offer, offerLength, context in
  guard let context, let chosen, let chosenLength, let offer else { return SSL_TLSEXT_ERR_ALERT_FATAL }
  return Unmanaged<TLSServerContext>.fromOpaque(context).takeUnretainedValue()
    .select(from: offer, offerLength, chosen, chosenLength)
}

/// Why a socket, a TLS handshake or a connection attempt failed.
///
/// A plain value. `detail` holds library reason texts, host names and addresses, never bytes that were transferred or
/// key material, so the description may be shown.
package struct TransportError: Error, Sendable, Hashable, CustomStringConvertible {
  package enum Code: String, Sendable, Hashable, CaseIterable {
    /// The listening address is taken, not ours, or not permitted.
    case bindFailed
    /// The host has no address, or the resolver failed.
    case nameNotResolved
    /// More lookups wait than the resolver keeps.
    case resolverBusy
    case connectionRefused
    case hostUnreachable
    /// Connecting and handshaking together took longer than allowed.
    case deadlineExceeded
    /// The peer reset the connection, or the network gave up on it.
    case connectionReset
    /// A TLS peer ended the byte stream without saying so (`close_notify`).
    case truncated
    /// TLS failed for a reason without a code of its own here.
    case tlsFailed
    /// The peer ignored ALPN where a protocol was required.
    case noProtocolNegotiated
    /// The peer refused every protocol offered, or chose one that is not the required one.
    case wrongProtocol
    case certificateExpired
    case certificateNotYetValid
    /// The peer's certificate is for another name or address.
    case certificateNameMismatch
    /// The peer's certificate does not lead to a trusted root.
    case unknownAuthority
    /// Verification refused the certificate for another reason, named in `detail`.
    case certificateRejected
    /// Certificate or trust material given to us cannot be read.
    case badCertificate
    /// The private key given to us cannot be read or does not belong to the certificate.
    case badPrivateKey
    /// The peer read too slowly: more bytes waited than the channel's output buffer may hold.
    case outputOverflow
    /// The event loop has been stopped.
    case loopStopped
    /// The owner gave up.
    case cancelled
    /// A system call failed; `detail` names it.
    case system
  }

  package let code: Code
  package let detail: String

  package init(_ code: Code, _ detail: String = "") {
    self.code = code
    self.detail = detail
  }

  package var description: String { detail.isEmpty ? code.rawValue : "\(code.rawValue): \(detail)" }
}

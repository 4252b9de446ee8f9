/// What is wrong with a host's TLS, for handshakes to come.
package enum TLSFault: String, CaseIterable, Sendable, Hashable {
  case none
  /// The server does not answer the ALPN offer.
  case noALPN = "no_alpn"
  /// Chooses `http/1.1`, whatever was offered.
  case http1Only = "http1_only"
  case expiredCertificate = "expired_certificate"
  /// A certificate for another name than `localhost` and `127.0.0.1`.
  case wrongName = "wrong_name"
  /// Signed by an authority that is not ``SimulatedAPNs/caPEM``.
  case unknownAuthority = "unknown_authority"
}

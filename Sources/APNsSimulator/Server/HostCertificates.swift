internal import Transport

/// The TLS contexts of a host, right and wrong ones, made when they are first needed.
///
/// A value; owned by its host's lock-free start path and copied into listeners.
struct HostCertificates: Sendable {
  private let authority: CertificateAuthority

  init(authority: CertificateAuthority) { self.authority = authority }

  func context(for fault: TLSFault) throws(SimulatorError) -> TLSServerContext {
    do throws(TransportError) {
      switch fault {
      case .none: return try strict(authority.issue())
      case .noALPN: return try TLSServerContext(identity: authority.issue())
      case .http1Only:
        return try TLSServerContext(identity: authority.issue(), protocols: ["http/1.1"], policy: .imposed)
      case .expiredCertificate: return try strict(authority.issue(CertificateRequest(validity: .expired)))
      case .wrongName:
        return try strict(authority.issue(CertificateRequest(names: ["api.push.example"], addresses: ["192.0.2.1"])))
      case .unknownAuthority: return try strict(CertificateAuthority(name: "Nobody's authority").issue())
      }
    } catch {
      throw SimulatorError(.badConfiguration, "TLS: \(error)")
    }
  }

  /// Apple offers `h2` and drops whoever does not choose it.
  private func strict(_ identity: TLSIdentity) throws(TransportError) -> TLSServerContext {
    try TLSServerContext(identity: identity, protocols: ["h2"], policy: .required)
  }
}

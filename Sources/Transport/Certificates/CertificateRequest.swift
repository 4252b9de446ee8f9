/// What a server certificate is to say.
package struct CertificateRequest: Sendable {
  package enum Validity: Sendable {
    /// From an hour ago for thirty days.
    case current
    /// Until an hour ago.
    case expired
    /// From in a day on.
    case future

    /// Seconds from now.
    var bounds: (start: Int, end: Int) {
      let hour = 3600
      switch self {
      case .current: return (-hour, 30 * 24 * hour)
      case .expired: return (-48 * hour, -hour)
      case .future: return (24 * hour, 30 * 24 * hour)
      }
    }
  }

  /// DNS names.
  package var names: [String]
  /// Numeric addresses.
  package var addresses: [String]
  package var validity: Validity

  package init(
    names: [String] = ["localhost"], addresses: [String] = ["127.0.0.1", "::1"], validity: Validity = .current
  ) {
    self.names = names
    self.addresses = addresses
    self.validity = validity
  }

  var alternativeNames: String {
    (names.map { "DNS:\($0)" } + addresses.map { "IP:\($0)" }).joined(separator: ",")
  }
}

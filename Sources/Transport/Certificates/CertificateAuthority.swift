internal import COpenSSL
internal import ServiceKit

/// A certificate authority made in this process, for servers on loopback: the APNs simulator, tests, a first run.
///
/// Immutable after `init`; the private key never leaves it. Freed with its last reference.
package final class CertificateAuthority: @unchecked Sendable {
  // Proof of `Sendable`: key and certificate are not changed after `init`; signing only reads them, and OpenSSL counts
  // their references atomically.
  private let key: PrivateKeyHandle
  private let certificate: X509Handle

  /// For `TLSClientContext.Trust`.
  package let certificatePEM: [UInt8]

  package init(name: String = "Local test authority") throws(TransportError) {
    let key = try PrivateKeyHandle.generate()
    let builder = try CertificateBuilder(subject: name, validity: .current)
    try builder.setSubjectKey(key)
    try builder.add("critical,CA:TRUE", as: NID_basic_constraints)
    try builder.add("critical,keyCertSign,cRLSign", as: NID_key_usage)
    certificate = try builder.signed(issuerName: name, by: key)
    certificatePEM = certificate.pem()
    self.key = key
  }

  /// A new key and a certificate for it, signed by this authority.
  package func issue(_ request: CertificateRequest = CertificateRequest()) throws(TransportError) -> TLSIdentity {
    let leafKey = try PrivateKeyHandle.generate()
    let builder = try CertificateBuilder(subject: request.names.first ?? "server", validity: request.validity)
    try builder.setSubjectKey(leafKey)
    try builder.add(request.alternativeNames, as: NID_subject_alt_name)
    try builder.add("CA:FALSE", as: NID_basic_constraints)
    try builder.add("serverAuth", as: NID_ext_key_usage)
    let leaf = try builder.signed(issuer: certificate, by: key)
    return TLSIdentity(certificateChainPEM: leaf.pem(), privateKeyPEM: Secret(leafKey.pem()))
  }
}

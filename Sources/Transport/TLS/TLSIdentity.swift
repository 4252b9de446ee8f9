package import ServiceKit

/// A certificate with its chain, leaf first, and the private key that belongs to it, both as PEM text.
package struct TLSIdentity: Sendable {
  package let certificateChainPEM: [UInt8]
  package let privateKeyPEM: Secret<[UInt8]>

  package init(certificateChainPEM: [UInt8], privateKeyPEM: Secret<[UInt8]>) {
    self.certificateChainPEM = certificateChainPEM
    self.privateKeyPEM = privateKeyPEM
  }

  /// Reads both files whole, now; a certificate and its key rarely exceed 16 KiB, more than 1 MiB is refused.
  package init(certificateChainFile: String, privateKeyFile: String) throws(TransportError) {
    certificateChainPEM = try PEMFile.read(certificateChainFile, orThrow: .badCertificate)
    privateKeyPEM = Secret(try PEMFile.read(privateKeyFile, orThrow: .badPrivateKey))
  }
}

import ServiceKit
import Testing
@testable import Transport

@Suite(.timeLimit(.minutes(1)))
struct TLSContextTests {
  private func code(_ body: () throws -> Void) -> TransportError.Code? {
    do {
      try body()
      return nil
    } catch { return (error as? TransportError)?.code }
  }

  @Test func aKeyOfAnotherCertificateIsRefused() throws {
    let authority = try CertificateAuthority()
    let (one, other) = (try authority.issue(), try authority.issue())
    let mixed = TLSIdentity(certificateChainPEM: one.certificateChainPEM, privateKeyPEM: other.privateKeyPEM)
    #expect(code { _ = try TLSServerContext(identity: mixed) } == .badPrivateKey)
  }

  @Test func textThatIsNoCertificateOrKeyIsRefused() throws {
    let identity = try CertificateAuthority().issue()
    let noChain = TLSIdentity(certificateChainPEM: Array("hello".utf8), privateKeyPEM: identity.privateKeyPEM)
    let noKey = TLSIdentity(
      certificateChainPEM: identity.certificateChainPEM, privateKeyPEM: Secret(Array("hello".utf8)))
    #expect(code { _ = try TLSServerContext(identity: noChain) } == .badCertificate)
    #expect(code { _ = try TLSServerContext(identity: noKey) } == .badPrivateKey)
    #expect(code { _ = try TLSClientContext(trust: .only(pem: [])) } == .badCertificate)
  }

  @Test func filesThatDoNotExistAreNamed() {
    let error = #expect(throws: TransportError.self) {
      try TLSIdentity(certificateChainFile: "/nowhere/chain.pem", privateKeyFile: "/nowhere/key.pem")
    }
    #expect(error?.code == .badCertificate)
    #expect(error?.detail.contains("/nowhere/chain.pem") == true)
  }

  @Test func anIdentityDoesNotShowItsKey() throws {
    let identity = try CertificateAuthority().issue()
    #expect(!"\(identity)".contains("PRIVATE KEY"))
    #expect(String(decoding: identity.privateKeyPEM.exposed, as: UTF8.self).contains("PRIVATE KEY"))
  }
}

import ServiceKit
import Crypto
import PushCore
import Testing

@testable import APNs

@Suite struct ProviderTokenMintTests {
  @Test func aTokenHasWhatAppleDocumentsAndAGoodSignature() throws {
    let key = try ES256Signer.generate()
    let mint = try ProviderTokenMint(
      APNsCredential(
        teamID: "TEAM000001", keyID: "KEY0000001", bundleID: "com.example.shop",
        key: SigningKey(pem: try key.pem().exposed), fingerprint: ""))
    for _ in 0..<50 {
      let token = String(decoding: try mint.mint(issuedAt: Fixture.now), as: UTF8.self)
      let parts = token.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
      try #require(parts.count == 3)
      #expect(Base64URL.decode(parts[0]) == Array(#"{"alg":"ES256","kid":"KEY0000001"}"#.utf8))
      #expect(Base64URL.decode(parts[1]) == Array(#"{"iss":"TEAM000001","iat":1767225600}"#.utf8))
      let signature = try #require(Base64URL.decode(parts[2]))
      #expect(signature.count == 64)
      #expect(key.publicKey().isValid(raw: signature, for: Array("\(parts[0]).\(parts[1])".utf8)))
    }
  }
}

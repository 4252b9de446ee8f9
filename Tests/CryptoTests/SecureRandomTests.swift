import Crypto
import Testing

@Suite("Random bytes and tokens")
struct SecureRandomTests {
  @Test("Bytes come in the asked number and do not repeat")
  func bytes() {
    #expect(SecureRandom.bytes(0).isEmpty)
    #expect(SecureRandom.bytes(33).count == 33)
    #expect(Set((0..<1000).map { _ in SecureRandom.bytes(16) }).count == 1000)
  }

  @Test("A base-62 token has its length, letters and digits only, each about as often")
  func base62() {
    #expect(SecureRandom.base62(length: 0).isEmpty)
    let text = SecureRandom.base62(length: 62_000)
    #expect(text.utf8.count == 62_000)
    let counts = Dictionary(grouping: text.utf8, by: \.self).mapValues(\.count)
    #expect(counts.count == 62)
    // 1000 expected with a standard deviation of 31; a biased draw (256 mod 62) would put eight of them near 1210.
    #expect(counts.values.allSatisfy { (800..<1200).contains($0) })
    #expect(counts.keys.allSatisfy { "0"..."9" ~= Character(.init($0)) || Character(.init($0)).isLetter })
  }

  @Test("A Base64url token carries the asked bytes")
  func base64URL() {
    #expect(Base64URL.decode(SecureRandom.base64URL(byteCount: 32))?.count == 32)
  }
}

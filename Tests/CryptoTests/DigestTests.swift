import Crypto
import Testing

@Suite("Digests")
struct DigestTests {
  @Test("SHA-256 gives the digests of FIPS 180-4's examples")
  func knownDigests() {
    #expect(
      Hex.encode(SHA256.hash([])) == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855")
    #expect(
      Hex.encode(SHA256.hash(Array("abc".utf8)))
        == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
    #expect(
      Hex.encode(SHA256.hash(Array("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq".utf8)))
        == "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1")
  }

  @Test("A digest taken in pieces is the digest of the whole, and a copy goes on alone")
  func pieces() {
    let message = (0..<1000).map { UInt8(truncatingIfNeeded: $0) }
    var hasher = SHA256()
    hasher.update(Array(message[..<137]))
    var other = hasher
    hasher.update(Array(message[137...]))
    #expect(hasher.finish() == SHA256.hash(message))
    other.update([1])
    #expect(other.finish() == SHA256.hash(message[..<137] + [1]))
  }

  /// RFC 4231, test cases 1 to 4, 6 and 7.
  static let rfc4231: [(key: [UInt8], message: [UInt8], code: String)] = [
    (
      Array(repeating: 0x0b, count: 20), Array("Hi There".utf8),
      "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7"
    ),
    (
      Array("Jefe".utf8), Array("what do ya want for nothing?".utf8),
      "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"
    ),
    (
      Array(repeating: 0xaa, count: 20), Array(repeating: 0xdd, count: 50),
      "773ea91e36800e46854db8ebd09181a72959098b3ef8c122d9635514ced565fe"
    ),
    (
      Array(1...25), Array(repeating: 0xcd, count: 50),
      "82558a389a443c0ea4cc819899f2083a85f0faa3e578f8077a2e3ff46729665b"
    ),
    (
      Array(repeating: 0xaa, count: 131), Array("Test Using Larger Than Block-Size Key - Hash Key First".utf8),
      "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54"
    ),
    (
      Array(repeating: 0xaa, count: 131),
      Array(
        ("This is a test using a larger than block-size key and a larger than block-size data. "
          + "The key needs to be hashed before being used by the HMAC algorithm.").utf8),
      "9b09ffa71b942fcb27635fbcd5b0e944bfdc63644f0713938a7f51535c3a35e2"
    ),
  ]

  @Test("HMAC-SHA-256 gives RFC 4231's codes, also when a key is used again", arguments: rfc4231)
  func knownCodes(key: [UInt8], message: [UInt8], code: String) {
    let hmac = HMACSHA256(key: key)
    #expect(Hex.encode(hmac.code(for: message)) == code)
    #expect(Hex.encode(hmac.code(for: message)) == code)
  }

  @Test("A code is valid whole or shortened to no less than half, and not otherwise")
  func validity() {
    let hmac = HMACSHA256(key: [1, 2, 3])
    let code = hmac.code(for: [9])
    #expect(hmac.isValid(code, for: [9]))
    #expect(hmac.isValid(Array(code[..<16]), for: [9]))
    #expect(!hmac.isValid(Array(code[..<15]), for: [9]))
    #expect(!hmac.isValid(code + [0], for: [9]))
    #expect(!hmac.isValid([], for: [9]))
    #expect(!hmac.isValid(code, for: [8]))
    #expect(!HMACSHA256(key: [1, 2, 4]).isValid(code, for: [9]))
    for position in code.indices {
      var wrong = code
      wrong[position] ^= 1
      #expect(!hmac.isValid(wrong, for: [9]))
    }
  }

  @Test("An empty key and an empty message have RFC 2104's code")
  func empty() {
    // As given by OpenSSL's and Python's own HMAC.
    #expect(
      Hex.encode(HMACSHA256(key: []).code(for: []))
        == "b613679a0814d9ec772f95d778c35fc5ff1697c493715653c6c712144292c5ad")
  }

  @Test("Equality in constant time agrees with equality")
  func equality() {
    #expect(constantTimeEquals([], []))
    #expect(constantTimeEquals([1, 2], [1, 2]))
    #expect(!constantTimeEquals([1, 2], [1, 3]))
    #expect(!constantTimeEquals([1, 2], [1, 2, 0]))
  }
}

import Crypto
import Testing

@Suite("Text encodings")
struct EncodingTests {
  /// RFC 4648, section 10.
  static let rfc4648 = [
    ("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg=="), ("fooba", "Zm9vYmE="),
    ("foobar", "Zm9vYmFy"),
  ]

  @Test("Base64 gives RFC 4648's texts and takes them back", arguments: rfc4648)
  func base64(plain: String, text: String) {
    #expect(Base64.encode(Array(plain.utf8)) == text)
    #expect(Base64.decode(text) == Array(plain.utf8))
    let unpadded = String(text.prefix { $0 != "=" })
    #expect(Base64URL.encode(Array(plain.utf8)) == unpadded)
    #expect(Base64URL.decode(unpadded) == Array(plain.utf8))
    #expect(Base64URL.encodedLength(of: plain.utf8.count) == unpadded.utf8.count)
  }

  @Test("The two alphabets differ in their last characters and refuse each other's")
  func alphabets() {
    let bytes: [UInt8] = [0xfb, 0xff, 0xbf]
    #expect(Base64.encode(bytes) == "+/+/")
    #expect(Base64URL.encode(bytes) == "-_-_")
    #expect(Base64.decode("-_-_") == nil)
    #expect(Base64URL.decode("+/+/") == nil)
  }

  @Test(
    "Base64 refuses every other spelling",
    arguments: ["Zg", "Zg=", "Zh==", "Zm9=", "Z", "Zg== ", " Zg==", "Zm\n9v", "Z===", "====", "=", "Zg==Zg==", "Zé=="])
  func strictBase64(text: String) {
    #expect(Base64.decode(text) == nil)
  }

  @Test("Base64url refuses every other spelling", arguments: ["Zg==", "Zh", "Zm9", "Z", "Z g", "=", "ZZZZZ"])
  func strictBase64URL(text: String) {
    #expect(Base64URL.decode(text) == nil)
  }

  @Test("Random bytes of every length survive each encoding")
  func roundTrips() {
    for length in 0..<70 {
      let bytes = SecureRandom.bytes(length)
      #expect(Base64.decode(Base64.encode(bytes)) == bytes)
      #expect(Base64URL.decode(Base64URL.encode(bytes)) == bytes)
      #expect(Hex.decode(Hex.encode(bytes)) == bytes)
    }
  }

  @Test("Base 32 is 26 characters, most significant first, and sorts as the values do")
  func base32() {
    #expect(Base32.encode(UInt128(0)) == "00000000000000000000000000")
    #expect(Base32.encode(UInt128(1)) == "00000000000000000000000001")
    #expect(Base32.encode(UInt128.max) == "7zzzzzzzzzzzzzzzzzzzzzzzzz")
    // Each power of two: every bit has its one place, also at the seam between the halves.
    for bit in 0..<128 {
      let text = Base32.encode(UInt128(1) << bit)
      #expect(Base32.decodeValue(text) == UInt128(1) << bit)
      if bit > 0 { #expect(Base32.encode(UInt128(1) << (bit - 1)) < text) }
      #expect(text.utf8.enumerated().filter { $0.element != UInt8(ascii: "0") }.map(\.offset) == [25 - bit / 5])
    }
  }

  @Test("Base 32 of random bytes decodes to them")
  func base32Bytes() {
    for _ in 0..<1000 {
      let bytes = SecureRandom.bytes(16)
      #expect(Base32.decode(Base32.encode(bytes)) == bytes)
    }
  }

  @Test(
    "Base 32 refuses every spelling but the canonical one",
    arguments: [
      "", "0000000000000000000000000", "000000000000000000000000000", "80000000000000000000000000",
      "7ZZZZZZZZZZZZZZZZZZZZZZZZZ", "0000000000000000000000000i", "0000000000000000000000000l",
      "0000000000000000000000000o", "0000000000000u000000000000", "0000000000000-000000000000",
      "zzzzzzzzzzzzzzzzzzzzzzzzzz", "000000000000000000000000é",
    ])
  func strictBase32(text: String) {
    #expect(Base32.decodeValue(text) == nil)
    #expect(Base32.decode(text) == nil)
  }

  @Test("Hexadecimal is written in lower case, read in both, and refused when odd or foreign")
  func hex() {
    #expect(Hex.encode([0x00, 0xab, 0xff]) == "00abff")
    #expect(Hex.decode("00ABff") == [0x00, 0xab, 0xff])
    #expect(Hex.decode("0") == nil)
    #expect(Hex.decode("0g") == nil)
    #expect(Hex.decode("0x") == nil)
  }
}

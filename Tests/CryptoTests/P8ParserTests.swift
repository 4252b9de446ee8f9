import Crypto
import ServiceKit
import Testing

@Suite("Reading Apple's .p8 files")
struct P8ParserTests {
  private static let key = KeyFixtures.p256

  /// One way in which a good key arrives.
  struct Damage: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let file: [UInt8]
    init(_ name: String, _ text: String) {
      testDescription = name
      file = Array(text.utf8)
    }
  }

  private static let body = key.split(separator: "\n").dropFirst().dropLast().joined(separator: "\n")

  static let mended: [Damage] = [
    Damage("as it is", key),
    Damage("without the last line end", String(key.dropLast())),
    Damage("inner curve parameters", KeyFixtures.withInnerParameters),
    Damage("no public half", KeyFixtures.withoutPublicKey),
    Damage("CRLF", key.replacing("\n", with: "\r\n")),
    Damage("CR", key.replacing("\n", with: "\r")),
    Damage("two characters for a line end", key.replacing("\n", with: "\\n")),
    Damage("four characters for CRLF", key.replacing("\n", with: "\\r\\n")),
    Damage("both kinds of line end", key.replacing("\n", with: "\\n\n")),
    Damage("one line with blanks", key.replacing("\n", with: " ")),
    Damage("one line with nothing", key.replacing("\n", with: "")),
    Damage("byte order mark", "\u{feff}" + key),
    Damage("trailing blanks", key.replacing("\n", with: "  \t\n") + " \n\n"),
    Damage("indented", key.replacing("\n", with: "\n    ")),
    Damage("blank lines between", key.replacing("\n", with: "\n\n")),
    Damage("quoted", "\"" + key + "\""),
    Damage("quoted and escaped", "\"" + key.replacing("\n", with: "\\n") + "\"\n"),
    Damage("Base64 of the file", Base64.encode(Array(key.utf8))),
    Damage("Base64 of the file in lines", folded(Base64.encode(Array(key.utf8)), 76)),
    Damage("Base64 of the file with CRLF", Base64.encode(Array(key.replacing("\n", with: "\r\n").utf8)) + "\r\n"),
    Damage("the Base64 lines alone", body),
    Damage("the Base64 lines on one line", body.replacing("\n", with: "")),
    Damage("a remark before it", "my key for push\n" + key),
    Damage("form feed and vertical tab", "\u{c}" + key + "\u{b}"),
  ]

  private static func folded(_ text: String, _ width: Int) -> String {
    var text = Substring(text)
    var lines: [Substring] = []
    while !text.isEmpty {
      lines.append(text.prefix(width))
      text = text.dropFirst(width)
    }
    return lines.joined(separator: "\n")
  }

  @Test("Harmless damage is mended: the key, its text and its fingerprint are the same", arguments: mended)
  func mends(damage: Damage) throws {
    let parsed = try P8Parser.parse(damage.file)
    #expect(parsed.fingerprint == KeyFixtures.fingerprint)
    #expect(String(decoding: parsed.pem.exposed, as: UTF8.self) == Self.key + (Self.key.hasSuffix("\n") ? "" : "\n"))
    let message = Array("message".utf8)
    let publicKey = try ES256PublicKey(pem: Array(KeyFixtures.publicKey.utf8))
    #expect(publicKey.isValid(raw: try parsed.signer.signature(of: message), for: message))
  }

  static let refused: [(name: String, file: [UInt8], refusal: P8Refusal)] = [
    ("nothing", [], .empty),
    ("blanks", Array(" \r\n\t ".utf8), .empty),
    ("byte order mark only", [0xef, 0xbb, 0xbf], .empty),
    ("escaped line ends only", Array("\\n\\n".utf8), .empty),
    ("1 MB of text", Array(repeating: UInt8(ascii: "x"), count: 1 << 20), .tooLarge),
    ("a key with 1 MB after it", Array(key.utf8) + Array(repeating: 0x20, count: 1 << 20), .tooLarge),
    ("a byte more than allowed", Array(key.utf8) + Array(repeating: 0x0a, count: 8193 - key.utf8.count), .tooLarge),
    ("a sentence", Array("this is my key".utf8), .notPEM),
    ("JSON", Array("{\"p8\":null}".utf8), .notPEM),
    ("Base64 of a sentence", Array(Base64.encode(Array("this is my key".utf8)).utf8), .notPEM),
    ("zeros", Array(repeating: 0, count: 300), .notPEM),
    ("UTF-16", Array(key.utf16.flatMap { [UInt8($0), 0] }), .notPEM),
    ("an unknown block", Array(key.replacing("PRIVATE KEY", with: "PGP MESSAGE").utf8), .notPEM),
    ("no begin line's dashes", Array(key.replacing("-----BEGIN", with: "BEGIN").utf8), .notPEM),
    ("no end line", Array(key.prefix(200).utf8), .truncated),
    ("another end line", Array(key.replacing("END PRIVATE KEY", with: "END PUBLIC KEY").utf8), .truncated),
    ("an empty block", Array("-----BEGIN PRIVATE KEY-----\n-----END PRIVATE KEY-----".utf8), .damaged),
    ("a letter lost", Array(key.replacing("MIGH", with: "MIG").utf8), .damaged),
    ("four letters lost", Array(key.replacing("MIGHAgEA", with: "MIGH").utf8), .damaged),
    ("a foreign letter", Array(key.replacing("MIGH", with: "MIG*").utf8), .damaged),
    ("plus signs become blanks", Array(key.replacing("+", with: " ").utf8), .damaged),
    ("Base64 of random bytes", Array(pem([UInt8](repeating: 7, count: 138)).utf8), .damaged),
    ("something after the key", Array(pem(Base64.decode(body.replacing("\n", with: ""))! + [0]).utf8), .damaged),
    ("a certificate", Array(KeyFixtures.certificate.utf8), .certificate),
    (
      "a certificate request",
      Array(KeyFixtures.certificate.replacing("CERTIFICATE", with: "CERTIFICATE REQUEST").utf8), .certificate
    ),
    ("a certificate before the key", Array((KeyFixtures.certificate + key).utf8), .certificate),
    ("a public key", Array(KeyFixtures.publicKey.utf8), .publicKey),
    ("an RSA public key", Array(KeyFixtures.publicKey.replacing("PUBLIC", with: "RSA PUBLIC").utf8), .publicKey),
    ("RSA", Array(KeyFixtures.rsa.utf8), .rsaKey),
    ("RSA in its own block", Array(KeyFixtures.rsaTraditional.utf8), .rsaKey),
    ("P-384", Array(KeyFixtures.p384.utf8), .wrongCurve),
    ("secp256k1", Array(KeyFixtures.secp256k1.utf8), .wrongCurve),
    ("the curve written out", Array(KeyFixtures.explicitParameters.utf8), .wrongCurve),
    ("Ed25519", Array(KeyFixtures.ed25519.utf8), .otherKey),
    ("OpenSSH", Array(key.replacing("PRIVATE", with: "OPENSSH PRIVATE").utf8), .otherKey),
    ("encrypted", Array(KeyFixtures.encrypted.utf8), .encrypted),
    ("SEC 1", Array(KeyFixtures.sec1.utf8), .sec1),
    (
      "SEC 1 with parameters first",
      Array(("-----BEGIN EC PARAMETERS-----\nBggqhkjOPQMBBw==\n-----END EC PARAMETERS-----\n" + KeyFixtures.sec1).utf8),
      .sec1
    ),
    ("a public half of another key", Array(KeyFixtures.foreignPublicKey.utf8), .invalidKey),
    ("a scalar of zero", Array(KeyFixtures.zeroScalar.utf8), .invalidKey),
    ("a scalar beyond the order", Array(KeyFixtures.scalarTooLarge.utf8), .invalidKey),
    ("a point off the curve", Array(KeyFixtures.pointOffCurve.utf8), .invalidKey),
  ]

  private static func pem(_ der: [UInt8]) -> String {
    "-----BEGIN PRIVATE KEY-----\n\(Base64.encode(der))\n-----END PRIVATE KEY-----\n"
  }

  @Test("Everything else is refused by name", arguments: refused)
  func refuses(name: String, file: [UInt8], refusal: P8Refusal) {
    #expect(throws: refusal) { try P8Parser.parse(file) }
  }

  @Test("Every refusal has words, and the table above has every refusal")
  func words() {
    #expect(Set(Self.refused.map(\.refusal)) == Set(P8Refusal.allCases))
    #expect(Set(P8Refusal.allCases.map(\.description)).count == P8Refusal.allCases.count)
    #expect("\(P8Refusal.wrongCurve)" == "this key is on another curve; Apple's .p8 keys are P-256 keys")
  }

  @Test("A key with any one byte changed is refused or is another key, and never stops the process")
  func mutations() throws {
    let der = try #require(Base64.decode(Self.body.replacing("\n", with: "")))
    for position in der.indices {
      for change: UInt8 in [0x01, 0x80, 0xff] {
        var damaged = der
        damaged[position] ^= change
        guard let parsed = try? P8Parser.parse(Array(Self.pem(damaged).utf8)) else { continue }
        // Only a changed attribute-free structure can pass: then it still signs for the public half that it shows.
        let message = [UInt8(1)]
        #expect(parsed.signer.publicKey().isValid(raw: try parsed.signer.signature(of: message), for: message))
      }
    }
  }

  @Test("A key cut off after any number of bytes is refused")
  func truncations() throws {
    let der = try #require(Base64.decode(Self.body.replacing("\n", with: "")))
    for length in 0..<der.count {
      #expect(throws: P8Refusal.self) { try P8Parser.parse(Array(Self.pem(Array(der[..<length])).utf8)) }
    }
    for length in 0..<Self.key.utf8.count - 26 {
      #expect(throws: P8Refusal.self) { try P8Parser.parse(Array(Self.key.utf8.prefix(length))) }
    }
  }

  @Test("The key does not show in what is printed")
  func secrecy() throws {
    let parsed = try P8Parser.parse(Array(Self.key.utf8))
    var dump = ""
    Swift.dump(parsed, to: &dump)
    let letters = Self.body.prefix(40)
    #expect(!"\(parsed) \(dump)".contains(letters))
    #expect("\(parsed.pem)" == "<secret>")
  }
}

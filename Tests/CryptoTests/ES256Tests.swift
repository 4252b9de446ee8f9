import Crypto
import ServiceKit
import Testing

@Suite("ES256 signatures")
struct ES256Tests {
  @Test("10 000 signatures of one key have 64 bytes each and are confirmed by its public half")
  func tenThousand() throws {
    let signer = try ES256Signer.generate()
    let key = signer.publicKey()
    var shortNumbers = 0
    for number in 0..<10_000 {
      let message = Array("message \(number)".utf8)
      let signature = try signer.signature(of: message)
      guard signature.count == 64, key.isValid(raw: signature, for: message) else {
        Issue.record("signature \(number) is wrong")
        return
      }
      if signature[0] == 0 || signature[32] == 0 { shortNumbers += 1 }
    }
    // One in 128 has a number that begins with a zero byte: those are the ones that careless code shortens.
    #expect(shortNumbers > 20)
  }

  @Test("OpenSSL's own command confirms signatures", .enabled(if: Command.exists("openssl")))
  func openssl() throws {
    let signer = try ES256Signer.generate()
    let files = try TemporaryFiles()
    let keyFile = try files.write(try signer.publicKey().pem(), as: "key.pem")
    for number in 0..<20 {
      let message = SecureRandom.bytes(number * 7)
      let messageFile = try files.write(message, as: "message")
      let signature = try signer.signature(of: message)
      let signatureFile = try files.write(DER.signature(raw: signature), as: "signature")
      let verify = ["dgst", "-sha256", "-verify", keyFile, "-signature", signatureFile, messageFile]
      #expect(try Command.run("openssl", verify) == 0)
      let otherFile = try files.write(message + [0], as: "other")
      #expect(try Command.run("openssl", verify.dropLast() + [otherFile]) != 0)
    }
  }

  @Test(
    "An independent library confirms 10 000 signatures",
    .enabled(if: Command.exists("python3") && Command.succeeds("python3", ["-c", "import cryptography"])))
  func python() throws {
    let signer = try ES256Signer.generate()
    let files = try TemporaryFiles()
    let keyFile = try files.write(try signer.publicKey().pem(), as: "key.pem")
    var signatures: [UInt8] = []
    for number in 0..<10_000 { signatures += try signer.signature(of: Array(String(number).utf8)) }
    let signaturesFile = try files.write(signatures, as: "signatures")
    let script = """
      import sys
      from cryptography.hazmat.primitives import hashes, serialization
      from cryptography.hazmat.primitives.asymmetric import ec
      from cryptography.hazmat.primitives.asymmetric.utils import encode_dss_signature
      key = serialization.load_pem_public_key(open(sys.argv[1], "rb").read())
      data = open(sys.argv[2], "rb").read()
      assert len(data) == 640000
      for number in range(10000):
          r, s = data[number * 64:number * 64 + 32], data[number * 64 + 32:number * 64 + 64]
          der = encode_dss_signature(int.from_bytes(r, "big"), int.from_bytes(s, "big"))
          key.verify(der, str(number).encode(), ec.ECDSA(hashes.SHA256()))
      """
    #expect(try Command.run("python3", ["-c", script, keyFile, signaturesFile]) == 0)
  }

  @Test("Both spellings of a signature are confirmed; anything else is not")
  func verification() throws {
    let signer = try ES256Signer.generate()
    let key = signer.publicKey()
    let message = Array("message".utf8)
    let raw = try signer.signature(of: message)
    let der = DER.signature(raw: raw)
    #expect(key.isValid(raw: raw, for: message))
    #expect(key.isValid(der: der, for: message))
    #expect(!key.isValid(raw: der, for: message))
    #expect(!key.isValid(der: raw, for: message))
    #expect(!key.isValid(raw: raw, for: message + [0]))
    #expect(!key.isValid(raw: Array(raw.dropLast()), for: message))
    #expect(!key.isValid(raw: raw + [0], for: message))
    #expect(!key.isValid(raw: [], for: message))
    #expect(!key.isValid(der: [], for: message))
    #expect(!key.isValid(der: der + [0], for: message))
    #expect(!key.isValid(raw: Array(repeating: 0, count: 64), for: message))
    #expect(!(try ES256Signer.generate()).publicKey().isValid(raw: raw, for: message))
    for position in raw.indices {
      var wrong = raw
      wrong[position] ^= 1
      #expect(!key.isValid(raw: wrong, for: message))
    }
  }

  @Test("RFC 7515's example of an ES256 token is confirmed")
  func rfc7515() throws {
    // Appendix A.3: the key's x and y, the text that is signed, and the signature.
    let x = try #require(Base64URL.decode("f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU"))
    let y = try #require(Base64URL.decode("x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0"))
    let key = try ES256PublicKey(point: [4] + x + y)
    let text =
      "eyJhbGciOiJFUzI1NiJ9.eyJpc3MiOiJqb2UiLA0KICJleHAiOjEzMDA4MTkzODAsDQogImh0dHA6Ly9leGFtcGxlLmNvbS9pc19yb290Ijp0cnVlfQ"
    let signature = try #require(
      Base64URL.decode("DtEhU3ljbEg8L38VWAfUAqOyKAM6-Xx-F4GawxaepmXFCgfTjDxw5djxLa8ISlSApmWQxfKTUJqPP3-Kg6NU1Q"))
    #expect(key.isValid(raw: signature, for: Array(text.utf8)))
  }

  @Test("A public key comes back from its point, its DER and its PEM")
  func publicKeys() throws {
    let key = (try ES256Signer.generate()).publicKey()
    let point = try key.point()
    #expect(point.count == 65)
    #expect(try ES256PublicKey(point: point).point() == point)
    #expect(try ES256PublicKey(der: key.der()).point() == point)
    #expect(try ES256PublicKey(pem: key.pem()).point() == point)
    #expect(try ES256PublicKey(pem: key.pem()).fingerprint() == key.fingerprint())
  }

  @Test("What is not a public key of the curve is refused")
  func notPublicKeys() throws {
    let key = (try ES256Signer.generate()).publicKey()
    var offCurve = try key.point()
    offCurve[64] ^= 1
    let point = try key.point()
    let infinity: [UInt8] = [0]
    for wrong in [offCurve, Array(point.dropLast()), point + [0], [2] + point[1..<33], infinity, []] {
      #expect(throws: CryptoError.self) { try ES256PublicKey(point: wrong) }
    }
    for wrong in [
      KeyFixtures.p256, KeyFixtures.certificate, "", "-----BEGIN PUBLIC KEY-----\nMFkw\n-----END PUBLIC KEY-----",
    ] {
      #expect(throws: CryptoError.self) { try ES256PublicKey(pem: Array(wrong.utf8)) }
    }
    #expect(throws: CryptoError.self) { try ES256PublicKey(der: try key.der() + [0]) }
  }

  @Test("A generated key comes back from its PEM, and two are never alike")
  func generation() throws {
    let signer = try ES256Signer.generate()
    let copy = try ES256Signer(pem: try signer.pem().exposed)
    #expect(try copy.publicKey().point() == signer.publicKey().point())
    #expect(try ES256Signer.generate().publicKey().point() != signer.publicKey().point())
  }

  @Test("One key signs and confirms in many tasks at once")
  func concurrency() async throws {
    let signer = try ES256Signer.generate()
    let key = signer.publicKey()
    let valid = await withTaskGroup(of: Int.self) { group in
      for task in 0..<8 {
        group.addTask {
          (0..<200).count { number in
            let message = Array("\(task) \(number)".utf8)
            guard let signature = try? signer.signature(of: message) else { return false }
            return key.isValid(raw: signature, for: message)
          }
        }
      }
      return await group.reduce(0, +)
    }
    #expect(valid == 1600)
  }
}

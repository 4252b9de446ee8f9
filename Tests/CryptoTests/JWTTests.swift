import Crypto
import Testing

@Suite("Tokens (JWT)")
struct JWTTests {
  /// RFC 7515, appendix A.1.
  static let rfcToken =
    "eyJ0eXAiOiJKV1QiLA0KICJhbGciOiJIUzI1NiJ9"
    + ".eyJpc3MiOiJqb2UiLA0KICJleHAiOjEzMDA4MTkzODAsDQogImh0dHA6Ly9leGFtcGxlLmNvbS9pc19yb290Ijp0cnVlfQ"
    + ".dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"
  static let rfcKey = Base64URL.decode(
    "AyM1SysPpbyDfgZld3umj1qzKObwVMkoqQ-EstJQLr_T-1qS0gZH75aKtMN3Yj0iPS4hcgUuTwjAzZr1Z9CAow")!

  @Test("RFC 7515's HS256 example is confirmed, with its key only")
  func hs256() throws {
    let token = try #require(JWT(parsing: Self.rfcToken))
    #expect(String(decoding: token.header, as: UTF8.self) == "{\"typ\":\"JWT\",\r\n \"alg\":\"HS256\"}")
    #expect(token.isSigned(with: HMACSHA256(key: Self.rfcKey)))
    #expect(!token.isSigned(with: HMACSHA256(key: Self.rfcKey + [0, 1])))
    #expect(!token.isSigned(with: HMACSHA256(key: [])))
  }

  @Test("Tokens that we sign are confirmed and keep header and claims byte by byte")
  func roundTrip() throws {
    let header = Array("{\"alg\":\"ES256\",\"kid\":\"K\"}".utf8)
    let claims = Array("{\"iss\":\"é\",\"iat\":1}".utf8)
    let signer = try ES256Signer.generate()
    let token = try #require(JWT(parsing: try JWT.signed(header: header, claims: claims, with: signer)))
    #expect(token.header == header)
    #expect(token.claims == claims)
    #expect(token.signature.count == 64)
    #expect(token.isSigned(with: signer.publicKey()))
    #expect(!token.isSigned(with: (try ES256Signer.generate()).publicKey()))
    let key = HMACSHA256(key: [1])
    let other = try #require(JWT(parsing: JWT.signed(header: header, claims: claims, with: key)))
    #expect(other.isSigned(with: key))
    #expect(!other.isSigned(with: signer.publicKey()))
  }

  @Test("A shortened code is no signature of a token")
  func shortCode() throws {
    let key = HMACSHA256(key: [1])
    let text = JWT.signed(header: [1], claims: [2], with: key)
    let token = try #require(JWT(parsing: text))
    let dot = try #require(text.lastIndex(of: "."))
    let short = text[...dot] + Base64URL.encode(Array(token.signature.prefix(16)))
    #expect(JWT(parsing: String(short))?.isSigned(with: key) == false)
  }

  @Test("Changing any character of a token makes it unreadable or unsigned")
  func tampering() throws {
    let key = HMACSHA256(key: Self.rfcKey)
    let characters = Array(Self.rfcToken.utf8)
    for position in characters.indices {
      var changed = characters
      changed[position] = changed[position] == UInt8(ascii: "A") ? UInt8(ascii: "B") : UInt8(ascii: "A")
      let token = JWT(parsing: String(decoding: changed, as: UTF8.self))
      #expect(token?.isSigned(with: key) != true)
    }
  }

  @Test(
    "What is not three parts of strict Base64url is no token",
    arguments: [
      "", ".", "..", "a.b", "YQ.YQ", "YQ.YQ.YQ.YQ", "YQ==.YQ.YQ", "Y Q.YQ.YQ", "YQ.Y+.YQ", " YQ.YQ.YQ", "YR.YQ.YQ",
    ])
  func notTokens(text: String) {
    // Two dots alone are three empty parts: readable, and signed by nobody.
    let token = JWT(parsing: text)
    if text == ".." {
      #expect(token?.isSigned(with: HMACSHA256(key: [])) == false)
    } else {
      #expect(token == nil)
    }
  }

  @Test("A token longer than allowed is not read")
  func length() {
    let text = JWT.signed(header: [1], claims: Array(repeating: 0, count: 10_000), with: HMACSHA256(key: [1]))
    #expect(JWT(parsing: text) == nil)
    #expect(JWT(parsing: text, maximumLength: 20_000) != nil)
  }
}

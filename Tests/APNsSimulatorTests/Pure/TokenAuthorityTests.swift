import Crypto
import Testing

@testable import APNsSimulator

@Suite("Provider tokens")
struct TokenAuthorityTests {
  private let now: Int64 = 1_790_000_000

  private func reason(_ authority: TokenAuthority, _ value: String) -> RefusalReason? {
    do throws(Refusal) {
      _ = try authority.verify(Array(value.utf8), on: .sandbox)
      return nil
    } catch { return error.reason }
  }

  @Test("a token of a registered key verifies, and says who made it and when")
  func good() throws {
    let key = try TestKey()
    let authority = TokenAuthority()
    authority.register(key.credential(topics: .bundleIDs(["b"])))
    let token = try authority.verify(Array(key.authorization(issuedAt: now).utf8), on: .sandbox)
    #expect(token.teamID == key.teamID)
    #expect(token.keyID == key.keyID)
    #expect(token.issuedAt == now)
    #expect(token.topics == .bundleIDs(["b"]))
  }

  @Test("the word bearer may be in any case, and further claims are let be")
  func tolerated() throws {
    let key = try TestKey()
    let authority = TokenAuthority()
    authority.register(key.credential())
    let header = #"{"typ":"JWT","alg":"ES256","kid":"KEY0000001"}"#
    let claims = #"{"iss":"TEAM000001","iat":1790000000,"exp":1790003600}"#
    let value = try key.authorization(header: header, claims: claims, scheme: "Bearer ")
    #expect(reason(authority, value) == nil)
  }

  @Test(
    "a malformed token is invalid, whatever is wrong",
    arguments: [
      (#"{"alg":"HS256","kid":"KEY0000001"}"#, #"{"iss":"TEAM000001","iat":1790000000}"#),
      (#"{"alg":"none","kid":"KEY0000001"}"#, #"{"iss":"TEAM000001","iat":1790000000}"#),
      (#"{"kid":"KEY0000001"}"#, #"{"iss":"TEAM000001","iat":1790000000}"#),
      (#"{"alg":"ES256"}"#, #"{"iss":"TEAM000001","iat":1790000000}"#),
      (#"{"alg":"ES256","kid":"KEY000001"}"#, #"{"iss":"TEAM000001","iat":1790000000}"#),
      (#"{"alg":"ES256","kid":"KEY0000001"}"#, #"{"iat":1790000000}"#),
      (#"{"alg":"ES256","kid":"KEY0000001"}"#, #"{"iss":"TEAM000001"}"#),
      (#"{"alg":"ES256","kid":"KEY0000001"}"#, #"{"iss":"TEAM000001","iat":"1790000000"}"#),
      (#"{"alg":"ES256","kid":"KEY0000001"}"#, #"{"iss":"TEAM000001","iat":1790000000.5}"#),
      (#"{"alg":"ES256","kid":"KEY0000001"}"#, #"{"iss":"OTHER00001","iat":1790000000}"#),
      (#"{"alg":"ES256","kid":"KEY0000002"}"#, #"{"iss":"TEAM000001","iat":1790000000}"#),
      (#"{"alg":"ES256","kid":"TEAM000001"}"#, #"{"iss":"KEY0000001","iat":1790000000}"#),
      ("no JSON", "{}"),
    ])
  func malformed(header: String, claims: String) throws {
    let key = try TestKey()
    let authority = TokenAuthority()
    authority.register(key.credential())
    #expect(try reason(authority, key.authorization(header: header, claims: claims)) == .invalidProviderToken)
  }

  @Test("a signature by another key, a changed claim and a missing part are invalid")
  func forged() throws {
    let key = try TestKey()
    let authority = TokenAuthority()
    authority.register(key.credential())
    let forged = try TestKey().authorization(issuedAt: now)
    #expect(reason(authority, forged) == .invalidProviderToken)
    var parts = try key.authorization(issuedAt: now).split(separator: ".").map(String.init)
    parts[1] = Base64URL.encode(Array(#"{"iss":"TEAM000001","iat":1790000001}"#.utf8))
    #expect(reason(authority, parts.joined(separator: ".")) == .invalidProviderToken)
    #expect(reason(authority, parts.prefix(2).joined(separator: ".")) == .invalidProviderToken)
    #expect(reason(authority, "bearer ") == .invalidProviderToken)
    #expect(reason(authority, String(repeating: "x", count: 100_000)) == .invalidProviderToken)
  }

  /// Two DER integers of 33 bytes at most, as `openssl dgst -sign` writes them.
  private func der(_ raw: [UInt8]) -> [UInt8] {
    let integers = [raw.prefix(32), raw.suffix(32)].map { half -> [UInt8] in
      let digits = Array(half.drop { $0 == 0 })
      let padded = digits[0] >= 0x80 ? [0] + digits : digits
      return [2, UInt8(padded.count)] + padded
    }
    let content = integers.flatMap { $0 }
    return [0x30, UInt8(content.count)] + content
  }

  @Test("a DER signature is taken as Apple takes it, unless the policy is raw only")
  func derSignature() throws {
    let key = try TestKey()
    var parts = try key.authorization(issuedAt: now).split(separator: ".").map(String.init)
    let raw = try #require(Base64URL.decode(parts[2]))
    #expect(raw.count == 64)
    parts[2] = Base64URL.encode(der(raw))
    let value = parts.joined(separator: ".")
    let tolerant = TokenAuthority()
    tolerant.register(key.credential())
    #expect(reason(tolerant, value) == nil)
    var policy = TokenPolicy()
    policy.signatures = .rawOnly
    let strict = TokenAuthority(policy: policy)
    strict.register(key.credential())
    #expect(reason(strict, value) == .invalidProviderToken)
  }

  @Test("a key of the other environment is refused in either spelling")
  func environment() throws {
    let key = try TestKey()
    var policy = TokenPolicy()
    for (spelling, expected) in [
      (TokenPolicy.EnvironmentSpelling.wire, RefusalReason.badEnvironmentKeyInToken),
      (.documented, .badEnvironmentKeyIDInToken),
    ] {
      policy.environmentSpelling = spelling
      let authority = TokenAuthority(policy: policy)
      authority.register(key.credential(environments: [.production]))
      #expect(try reason(authority, key.authorization(issuedAt: now)) == expected)
    }
  }

  @Test("the accepting policy trusts unknown keys, still verifies known ones, and still wants a well-formed token")
  func trusted() throws {
    var policy = TokenPolicy()
    policy.unknownKeys = .trusted
    let authority = TokenAuthority(policy: policy)
    let known = try TestKey()
    authority.register(known.credential())
    let unknown = try TestKey(teamID: "TEAM000002", keyID: "KEY0000002")
    #expect(try reason(authority, unknown.authorization(issuedAt: now)) == nil)
    #expect(try reason(authority, TestKey().authorization(issuedAt: now)) == .invalidProviderToken)
    #expect(reason(authority, "bearer x.y.z") == .invalidProviderToken)
  }
}

internal import Crypto
internal import PushCore

/// Makes provider tokens: JWTs signed with ES256, with what Apple documents in them and nothing else.
///
/// Immutable, made for one credential; used on whatever thread the token store mints on.
struct ProviderTokenMint: Sendable {
  private let teamID: String
  private let keyID: String
  private let signer: ES256Signer

  init(_ credential: APNsCredential) throws {
    teamID = credential.teamID
    keyID = credential.keyID
    signer = try ES256Signer(pem: credential.key.pem)
  }

  func mint(issuedAt: Timestamp) throws -> [UInt8] {
    var header = PayloadWriter()
    header.object {
      $0.member("alg", "ES256")
      $0.member("kid", keyID)
    }
    var claims = PayloadWriter()
    claims.object {
      $0.member("iss", teamID)
      $0.member("iat", Int(issuedAt.secondsSinceEpoch))
    }
    var token = Array(Base64URL.encode(header.bytes).utf8)
    token.append(UInt8(ascii: "."))
    token += Base64URL.encode(claims.bytes).utf8
    let signature = try signer.signature(of: token)
    token.append(UInt8(ascii: "."))
    token += Base64URL.encode(signature).utf8
    return token
  }
}

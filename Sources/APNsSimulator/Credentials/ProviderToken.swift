internal import Crypto
internal import JSON

/// A provider token taken apart: ES256, a key id and a team id of ten letters or digits, `iat` in whole seconds. Not yet verified.
///
/// Stricter than Apple in one point on purpose: `iat` as a JSON string, which Apple tolerates, is refused.
struct ProviderToken: Sendable {
  let teamID: String
  let keyID: String
  /// Seconds since 1970.
  let issuedAt: Int64
  /// base64url(header) "." base64url(claims)
  let signedBytes: [UInt8]
  let signature: [UInt8]

  /// Bytes of an `authorization` value; Apple's tokens have about 200.
  private static let maximumLength = 2048

  /// nil for anything that is not `bearer` and a well-formed ES256 token.
  init?(authorization: [UInt8]) {
    guard authorization.count <= Self.maximumLength, let jwt = Self.bearer(authorization) else { return nil }
    let parts = jwt.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    guard parts.count == 3,
      let header = Self.json(parts[0]), let claims = Self.json(parts[1]), let signature = Self.decoded(parts[2]),
      header["alg"]?.string == "ES256",
      let keyID = Self.identifier(header["kid"]), let teamID = Self.identifier(claims["iss"]),
      let issuedAt = claims["iat"]?.number?.int64
    else { return nil }
    self.teamID = teamID
    self.keyID = keyID
    self.issuedAt = issuedAt
    self.signature = signature
    signedBytes = Array(jwt[parts[0].startIndex..<parts[1].endIndex])
  }

  /// The scheme is compared without case, as HTTP has it.
  private static func bearer(_ value: [UInt8]) -> ArraySlice<UInt8>? {
    let scheme = "bearer "
    guard value.count > scheme.utf8.count,
      zip(value, scheme.utf8).allSatisfy({ $0 == $1 || ($0 >= UInt8(ascii: "A") && $0 | 0x20 == $1) })
    else { return nil }
    return value[scheme.utf8.count...]
  }

  private static func decoded(_ part: ArraySlice<UInt8>) -> [UInt8]? {
    part.withUnsafeBytes { Base64URL.decode($0) }
  }

  private static func json(_ part: ArraySlice<UInt8>) -> JSONValue? {
    guard let bytes = decoded(part) else { return nil }
    // Whatever is wrong with the JSON, the answer is the same.
    return try? JSONValue(parsing: bytes)
  }

  private static func identifier(_ value: JSONValue?) -> String? {
    guard let text = value?.string, text.utf8.count == 10, text.utf8.allSatisfy(isAlphanumeric) else {
      return nil
    }
    return text
  }

  private static func isAlphanumeric(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "z"),
      UInt8(ascii: "A")...UInt8(ascii: "Z"):
      true
    default: false
    }
  }
}

/// A signed token in JWS compact form (RFC 7515): header, claims and signature, each Base64url, with dots between.
///
/// A plain value taken from a text. What is in the header and claims is for whoever reads JSON; here they are bytes. The caller
/// chooses how a signature is checked, never the token's own header, and must still compare the header's `alg`.
package struct JWT: Sendable {
  package let header: [UInt8]
  package let claims: [UInt8]
  package let signature: [UInt8]
  /// What the signature covers: the first two parts as they were written.
  private let signedText: [UInt8]

  /// `nil` unless `text` is three parts of strict Base64url and no longer than `maximumLength` bytes.
  package init?(parsing text: String, maximumLength: Int = 8192) {
    guard text.utf8.count <= maximumLength else { return nil }
    let bytes = Array(text.utf8)
    let parts = bytes.split(separator: Self.dot, maxSplits: 3, omittingEmptySubsequences: false)
    guard parts.count == 3,
      let header = parts[0].withUnsafeBytes({ Base64URL.decode($0) }),
      let claims = parts[1].withUnsafeBytes({ Base64URL.decode($0) }),
      let signature = parts[2].withUnsafeBytes({ Base64URL.decode($0) })
    else { return nil }
    self.header = header
    self.claims = claims
    self.signature = signature
    signedText = Array(bytes[..<parts[1].endIndex])
  }

  /// Whether the token was signed with HMAC-SHA-256 and this key. Takes the same time wherever the codes differ.
  package func isSigned(with key: HMACSHA256) -> Bool {
    signature.count == HMACSHA256.byteCount && key.isValid(signature, for: signedText)
  }

  /// Whether the token was signed with ES256 and the private half of this key.
  package func isSigned(with key: ES256PublicKey) -> Bool {
    key.isValid(raw: signature, for: signedText)
  }

  /// A token signed with ES256. `header` and `claims` are JSON objects.
  package static func signed(header: [UInt8], claims: [UInt8], with signer: ES256Signer) throws(CryptoError) -> String {
    let text = signedText(header: header, claims: claims)
    return text + "." + Base64URL.encode(try signer.signature(of: Array(text.utf8)))
  }

  /// A token signed with HMAC-SHA-256. `header` and `claims` are JSON objects.
  package static func signed(header: [UInt8], claims: [UInt8], with key: HMACSHA256) -> String {
    let text = signedText(header: header, claims: claims)
    return text + "." + Base64URL.encode(key.code(for: Array(text.utf8)))
  }

  private static let dot = UInt8(ascii: ".")

  private static func signedText(header: [UInt8], claims: [UInt8]) -> String {
    Base64URL.encode(header) + "." + Base64URL.encode(claims)
  }
}

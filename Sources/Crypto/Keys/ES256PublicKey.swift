internal import COpenSSL

/// A P-256 public key that checks ES256 signatures.
///
/// Shared by whoever checks; usable from any thread at once.
package final class ES256PublicKey: @unchecked Sendable {
  // Proof of `Sendable`: the key is never changed after `init`, and OpenSSL lets many threads verify with one key.
  private let key: KeyHandle

  init(taking key: consuming KeyHandle) { self.key = key }

  /// From a point as ``point()`` gives it; a point that is not on the curve is refused.
  package convenience init(point: [UInt8]) throws(CryptoError) {
    guard point.count == 65, point[0] == 4 else { throw CryptoError(.invalidPublicKey) }
    try self.init(der: Self.derPrefix + point)
  }

  /// From a `PUBLIC KEY` block.
  package convenience init(pem: [UInt8]) throws(CryptoError) {
    guard let block = PEM.firstBlock(in: pem), block.label == "PUBLIC KEY", let der = block.der else {
      throw CryptoError(.invalidPublicKey)
    }
    try self.init(der: der)
  }

  /// From a SubjectPublicKeyInfo (RFC 5280).
  package convenience init(der: [UInt8]) throws(CryptoError) {
    ERR_clear_error()
    let raw = der.withUnsafeBufferPointer { bytes -> OpaquePointer? in
      var next = bytes.baseAddress
      guard let key = d2i_PUBKEY(nil, &next, bytes.count) else { return nil }
      guard next == bytes.baseAddress.map({ $0 + bytes.count }) else {
        EVP_PKEY_free(key)
        return nil
      }
      return key
    }
    ERR_clear_error()
    guard let raw else { throw CryptoError(.invalidPublicKey) }
    let key = KeyHandle(taking: raw)
    guard key.curveName() == P8Parser.curveName else { throw CryptoError(.invalidPublicKey) }
    self.init(taking: key)
  }

  /// The public point, uncompressed: 4, then 32 bytes each of x and y.
  package func point() throws(CryptoError) -> [UInt8] { try key.publicPoint() }

  /// The key as a SubjectPublicKeyInfo (RFC 5280).
  package func der() throws(CryptoError) -> [UInt8] { Self.derPrefix + (try point()) }

  package func pem() throws(CryptoError) -> [UInt8] { PEM.encode(try der(), label: "PUBLIC KEY") }

  /// SHA-256 of ``der()`` in hexadecimal: what `openssl pkey -pubout -outform DER | sha256sum` shows.
  package func fingerprint() throws(CryptoError) -> String { Hex.encode(SHA256.hash(try der())) }

  /// Whether r and s, 32 bytes each, sign the message.
  package func isValid(raw signature: [UInt8], for message: [UInt8]) -> Bool {
    guard let der = signature.withUnsafeBytes(ES256Signature.der(raw:)) else { return false }
    return isValid(der: der, for: message)
  }

  /// Whether a DER signature signs the message.
  package func isValid(der signature: [UInt8], for message: [UInt8]) -> Bool {
    let digest = SHA256.hash(message)
    return key.withRaw { key in
      guard let context = EVP_PKEY_CTX_new_from_pkey(nil, key, nil) else { return false }
      defer {
        EVP_PKEY_CTX_free(context)
        ERR_clear_error()
      }
      return EVP_PKEY_verify_init(context) == 1
        && EVP_PKEY_verify(context, signature, signature.count, digest, digest.count) == 1
    }
  }

  /// What stands before the point in a SubjectPublicKeyInfo of this curve (RFC 5480): the algorithm, the curve, the length.
  private static let derPrefix: [UInt8] = [
    0x30, 0x59, 0x30, 0x13, 0x06, 0x07, 0x2a, 0x86, 0x48, 0xce, 0x3d, 0x02, 0x01, 0x06, 0x08, 0x2a, 0x86, 0x48, 0xce,
    0x3d, 0x03, 0x01, 0x07, 0x03, 0x42, 0x00,
  ]
}

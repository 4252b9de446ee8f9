internal import COpenSSL
package import ServiceKit

/// Reads the private key (.p8) that Apple gives for push tokens, as people paste and upload it: an unencrypted PKCS #8
/// file with a P-256 key.
///
/// Harmless damage is mended (see ``P8Text``); anything that is not such a key is refused by name. A key passes only after
/// a test signature that its own public half confirms.
package enum P8Parser {
  /// Apple's files have about 260 bytes; Base64 around one and Windows line ends still leave it below 400.
  package static let longestFile = 8192
  static let curveName = "prime256v1"

  /// A key that is fit for use, with what is kept of it.
  package struct Key: Sendable {
    package let signer: ES256Signer
    /// The key alone, without damage, headers or what stood around it.
    package let pem: Secret<[UInt8]>
    /// Of the public half, see ``ES256PublicKey/fingerprint()``.
    package let fingerprint: String
  }

  package static func parse(_ file: [UInt8]) throws(P8Refusal) -> Key {
    let signer = ES256Signer(taking: try key(in: file))
    do throws(CryptoError) {
      return Key(signer: signer, pem: try signer.pem(), fingerprint: try signer.publicKey().fingerprint())
    } catch {
      throw .invalidKey
    }
  }

  static func key(in file: [UInt8]) throws(P8Refusal) -> KeyHandle {
    guard file.count <= longestFile else { throw .tooLarge }
    var der = try P8Text.der(in: file)
    defer { der.wipe() }
    let key = try key(pkcs8: der)
    guard key.curveName() == curveName else { throw .wrongCurve }
    try test(key)
    return key
  }

  private static func key(pkcs8 der: [UInt8]) throws(P8Refusal) -> KeyHandle {
    ERR_clear_error()
    defer { ERR_clear_error() }
    guard let info = privateKeyInfo(der) else { throw .damaged }
    defer { PKCS8_PRIV_KEY_INFO_free(info) }
    try checkAlgorithm(of: info)
    guard let key = EVP_PKCS82PKEY(info) else { throw .invalidKey }
    // A file may leave the public half out, and OpenSSL would then leave it out of what is kept too.
    EVP_PKEY_set_int_param(key, OSSL_PKEY_PARAM_EC_INCLUDE_PUBLIC, 1)
    return KeyHandle(taking: key)
  }

  /// The outer structure; `nil` if it is another one or something follows it.
  private static func privateKeyInfo(_ der: [UInt8]) -> OpaquePointer? {
    der.withUnsafeBufferPointer { bytes in
      var next = bytes.baseAddress
      guard let info = d2i_PKCS8_PRIV_KEY_INFO(nil, &next, bytes.count) else { return nil }
      guard next == bytes.baseAddress.map({ $0 + bytes.count }) else {
        PKCS8_PRIV_KEY_INFO_free(info)
        return nil
      }
      return info
    }
  }

  private static func checkAlgorithm(of info: OpaquePointer) throws(P8Refusal) {
    var algorithm: OpaquePointer?
    PKCS8_pkey_get0(&algorithm, nil, nil, nil, info)
    switch OBJ_obj2nid(algorithm) {
    case NID_X9_62_id_ecPublicKey: break
    case NID_rsaEncryption, NID_rsassaPss: throw .rsaKey
    default: throw .otherKey
    }
    // The curve stands beside the algorithm. OpenSSL would refuse a curve that it does not know without saying so.
    var identifier: UnsafePointer<X509_ALGOR>?
    PKCS8_pkey_get0(nil, nil, nil, &identifier, info)
    var kind: Int32 = 0
    var parameter: UnsafeRawPointer?
    X509_ALGOR_get0(nil, &kind, &parameter, identifier)
    guard kind == V_ASN1_OBJECT, let parameter, OBJ_obj2nid(OpaquePointer(parameter)) == NID_X9_62_prime256v1 else {
      throw .wrongCurve
    }
  }

  private static func test(_ key: borrowing KeyHandle) throws(P8Refusal) {
    let message = Array("a test signature".utf8)
    let signature: [UInt8]
    do throws(CryptoError) {
      signature = try ES256Signer(taking: key.shared()).signature(of: message)
    } catch {
      throw .invalidKey
    }
    // The public half stands in the file beside the private one; if they do not belong together this fails.
    guard ES256PublicKey(taking: key.shared()).isValid(raw: signature, for: message) else { throw .invalidKey }
  }
}

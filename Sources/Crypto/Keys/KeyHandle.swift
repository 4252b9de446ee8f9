internal import COpenSSL

/// Owns an `EVP_PKEY` of the curve P-256. OpenSSL wipes a private key's scalar when it frees it.
struct KeyHandle: ~Copyable {
  private let raw: OpaquePointer

  init(taking raw: OpaquePointer) { self.raw = raw }

  deinit { EVP_PKEY_free(raw) }

  borrowing func withRaw<Result, Failure: Error>(
    _ body: (OpaquePointer) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try body(raw)
  }

  /// A fresh private key.
  static func generate() throws(CryptoError) -> KeyHandle {
    guard let context = EVP_PKEY_CTX_new_from_name(nil, "EC", nil) else { throw CryptoError(.libraryFailure) }
    defer { EVP_PKEY_CTX_free(context) }
    var key: OpaquePointer?
    guard EVP_PKEY_keygen_init(context) == 1, EVP_PKEY_CTX_set_group_name(context, "P-256") == 1,
      EVP_PKEY_generate(context, &key) == 1, let key
    else { throw CryptoError(.libraryFailure) }
    return KeyHandle(taking: key)
  }

  /// Another owner of the same key.
  borrowing func shared() -> KeyHandle {
    EVP_PKEY_up_ref(raw)
    return KeyHandle(taking: raw)
  }

  /// `prime256v1` for P-256; `nil` for a key that is not on a named curve.
  borrowing func curveName() -> String? {
    withUnsafeTemporaryAllocation(of: CChar.self, capacity: 64) { name in
      var length = 0
      guard EVP_PKEY_get_group_name(raw, name.baseAddress, name.count, &length) == 1 else { return nil }
      return String(decoding: UnsafeRawBufferPointer(name)[..<length], as: UTF8.self)
    }
  }

  /// The public point, uncompressed: 4, then 32 bytes each of x and y.
  borrowing func publicPoint() throws(CryptoError) -> [UInt8] {
    var point: [UInt8] = [4]
    for name in [OSSL_PKEY_PARAM_EC_PUB_X, OSSL_PKEY_PARAM_EC_PUB_Y] {
      var number: OpaquePointer?
      guard EVP_PKEY_get_bn_param(raw, name, &number) == 1 else { throw CryptoError(.libraryFailure) }
      defer { BN_free(number) }
      var bytes = [UInt8](repeating: 0, count: 32)
      guard BN_bn2binpad(number, &bytes, 32) == 32 else { throw CryptoError(.libraryFailure) }
      point += bytes
    }
    return point
  }

  /// The private key as PKCS #8 DER. The caller wipes it.
  borrowing func pkcs8() throws(CryptoError) -> [UInt8] {
    guard let info = EVP_PKEY2PKCS8(raw) else { throw CryptoError(.libraryFailure) }
    defer { PKCS8_PRIV_KEY_INFO_free(info) }
    let length = Int(i2d_PKCS8_PRIV_KEY_INFO(info, nil))
    guard length > 0 else { throw CryptoError(.libraryFailure) }
    return [UInt8](unsafeUninitializedCapacity: length) { buffer, count in
      var end = buffer.baseAddress
      count = Int(i2d_PKCS8_PRIV_KEY_INFO(info, &end))
    }
  }
}

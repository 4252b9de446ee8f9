internal import COpenSSL

/// The two spellings of one ECDSA signature: DER, as OpenSSL has it, and r and s side by side in 32 bytes each, as JOSE has it
/// (RFC 7518, section 3.4), where small numbers keep their leading zeros.
enum ES256Signature {
  static let rawCount = 64
  /// Two integers of 33 bytes with their headers.
  static let longestDER = 72

  /// Writes 64 bytes to `raw`; `false` if `der` is not a signature of this curve.
  static func writeRaw(der: UnsafeRawBufferPointer, into raw: UnsafeMutablePointer<UInt8>) -> Bool {
    var next = der.baseAddress?.assumingMemoryBound(to: UInt8.self)
    guard let signature = d2i_ECDSA_SIG(nil, &next, der.count) else {
      ERR_clear_error()
      return false
    }
    defer { ECDSA_SIG_free(signature) }
    return BN_bn2binpad(ECDSA_SIG_get0_r(signature), raw, 32) == 32
      && BN_bn2binpad(ECDSA_SIG_get0_s(signature), raw + 32, 32) == 32
  }

  /// `nil` unless `raw` has 64 bytes.
  static func der(raw: UnsafeRawBufferPointer) -> [UInt8]? {
    guard raw.count == rawCount, let bytes = raw.baseAddress?.assumingMemoryBound(to: UInt8.self),
      let signature = ECDSA_SIG_new()
    else { return nil }
    defer { ECDSA_SIG_free(signature) }
    guard let r = BN_bin2bn(bytes, 32, nil) else { return nil }
    guard let s = BN_bin2bn(bytes + 32, 32, nil) else {
      BN_free(r)
      return nil
    }
    // The signature owns both from here on; it fails for null pointers only.
    ECDSA_SIG_set0(signature, r, s)
    return [UInt8](unsafeUninitializedCapacity: longestDER) { buffer, count in
      var end = buffer.baseAddress
      count = Int(max(0, i2d_ECDSA_SIG(signature, &end)))
    }
  }
}

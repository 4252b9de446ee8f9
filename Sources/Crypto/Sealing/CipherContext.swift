internal import COpenSSL

/// Owns an `EVP_CIPHER_CTX` for one use of AES-256-GCM; freeing it wipes the key schedule.
struct CipherContext: ~Copyable {
  enum Direction: Int32 {
    case decrypt = 0
    case encrypt = 1
  }

  private let raw: OpaquePointer

  init() throws(CryptoError) {
    guard let raw = EVP_CIPHER_CTX_new() else { throw CryptoError(.libraryFailure) }
    self.raw = raw
  }

  deinit {
    EVP_CIPHER_CTX_free(raw)
    ERR_clear_error()
  }

  /// The nonce has the 12 bytes that are the cipher's default.
  borrowing func start(key: SecretBytes, nonce: [UInt8], direction: Direction) -> Bool {
    key.withBytes { key in
      let key = key.assumingMemoryBound(to: UInt8.self).baseAddress
      return EVP_CipherInit_ex(raw, EVP_aes_256_gcm(), nil, key, nonce, direction.rawValue) == 1
    }
  }

  borrowing func authenticate(_ bytes: [UInt8]) -> Bool {
    var written: Int32 = 0
    return EVP_CipherUpdate(raw, nil, &written, bytes, Int32(bytes.count)) == 1
  }

  /// Writes as many bytes as it reads.
  borrowing func update(_ input: UnsafeRawBufferPointer, into output: UnsafeMutablePointer<UInt8>) -> Bool {
    guard let start = input.assumingMemoryBound(to: UInt8.self).baseAddress, input.count > 0 else { return true }
    var written: Int32 = 0
    return EVP_CipherUpdate(raw, output, &written, start, Int32(input.count)) == 1 && Int(written) == input.count
  }

  /// When decrypting: whether the tag is right.
  borrowing func finish() -> Bool {
    var written: Int32 = 0
    var nothing: UInt8 = 0
    return EVP_CipherFinal_ex(raw, &nothing, &written) == 1
  }

  borrowing func readTag(into output: UnsafeMutablePointer<UInt8>) -> Bool {
    EVP_CIPHER_CTX_ctrl(raw, EVP_CTRL_AEAD_GET_TAG, Int32(SealedForm.tagCount), output) == 1
  }

  borrowing func expectTag(_ tag: [UInt8]) -> Bool {
    var tag = tag
    return EVP_CIPHER_CTX_ctrl(raw, EVP_CTRL_AEAD_SET_TAG, Int32(tag.count), &tag) == 1
  }
}

internal import COpenSSL

/// One encryption or decryption with AES-256-GCM.
enum AESGCM {
  /// The ciphertext, then the tag.
  static func encrypt(
    _ plain: [UInt8], authenticated: [UInt8], nonce: [UInt8], key: SecretBytes
  ) throws(CryptoError) -> [UInt8] {
    let context = try CipherContext()
    let total = plain.count + SealedForm.tagCount
    var isDone = false
    let output = [UInt8](unsafeUninitializedCapacity: total) { buffer, count in
      guard let start = buffer.baseAddress else { return }
      isDone =
        context.start(key: key, nonce: nonce, direction: .encrypt)
        && context.authenticate(authenticated)
        && plain.withUnsafeBytes { context.update($0, into: start) }
        && context.finish()
        && context.readTag(into: start + plain.count)
      count = isDone ? total : 0
    }
    guard isDone else { throw CryptoError(.libraryFailure) }
    return output
  }

  static func decrypt(
    _ input: ArraySlice<UInt8>, authenticated: [UInt8], nonce: [UInt8], key: SecretBytes
  ) throws(CryptoError) -> [UInt8] {
    let context = try CipherContext()
    let length = input.count - SealedForm.tagCount
    guard length >= 0 else { throw CryptoError(.notSealed) }
    let tag = Array(input.suffix(SealedForm.tagCount))
    var isDone = false
    // One byte more than needed, so that an empty value has an address too.
    let plain = [UInt8](unsafeUninitializedCapacity: length + 1) { buffer, count in
      guard let start = buffer.baseAddress else { return }
      isDone =
        context.start(key: key, nonce: nonce, direction: .decrypt)
        && context.authenticate(authenticated)
        && input.withUnsafeBytes { context.update(UnsafeRawBufferPointer(rebasing: $0[..<length]), into: start) }
        && context.expectTag(tag)
        && context.finish()
      // Nothing of what fails its tag leaves here, not even in freed memory.
      if !isDone { OPENSSL_cleanse(start, length) }
      count = isDone ? length : 0
    }
    guard isDone else { throw CryptoError(.notAuthentic) }
    return plain
  }
}

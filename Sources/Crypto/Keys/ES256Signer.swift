internal import COpenSSL
package import ServiceKit

/// A P-256 private key that signs with ECDSA and SHA-256 (ES256).
///
/// Shared by whoever signs; usable from any thread at once; OpenSSL wipes the key with the last reference.
package final class ES256Signer: @unchecked Sendable {
  // Proof of `Sendable`: the key is never changed after `init`, and OpenSSL lets many threads sign with one key.
  private let key: KeyHandle

  init(taking key: consuming KeyHandle) { self.key = key }

  /// A new key from the random generator.
  package static func generate() throws(CryptoError) -> ES256Signer {
    ES256Signer(taking: try KeyHandle.generate())
  }

  /// Reads a key as ``P8Parser`` does, paste damage and test signature included.
  package convenience init(pem: [UInt8]) throws(P8Refusal) {
    self.init(taking: try P8Parser.key(in: pem))
  }

  /// r and s, 32 bytes each: always 64 bytes.
  package func signature(of message: UnsafeRawBufferPointer) throws(CryptoError) -> [UInt8] {
    var isDone = false
    let signature = [UInt8](unsafeUninitializedCapacity: ES256Signature.rawCount) { raw, count in
      isDone = key.withRaw { Self.sign(message, with: $0, into: raw.baseAddress!) }
      count = isDone ? ES256Signature.rawCount : 0
    }
    guard isDone else { throw CryptoError(.libraryFailure) }
    return signature
  }

  package func signature(of message: [UInt8]) throws(CryptoError) -> [UInt8] {
    try message.withUnsafeBufferPointer { (bytes) throws(CryptoError) in
      try signature(of: UnsafeRawBufferPointer(bytes))
    }
  }

  package func publicKey() -> ES256PublicKey { ES256PublicKey(taking: key.shared()) }

  /// The key as PKCS #8 PEM, as Apple's files have it.
  package func pem() throws(CryptoError) -> Secret<[UInt8]> {
    var der = try key.pkcs8()
    defer { der.wipe() }
    return Secret(PEM.encode(der, label: PEM.privateKeyLabel))
  }

  private static func sign(
    _ message: UnsafeRawBufferPointer, with key: OpaquePointer, into raw: UnsafeMutablePointer<UInt8>
  ) -> Bool {
    guard let context = EVP_PKEY_CTX_new_from_pkey(nil, key, nil) else { return false }
    defer { EVP_PKEY_CTX_free(context) }
    return withUnsafeTemporaryAllocation(byteCount: SHA256.byteCount, alignment: 8) { digest in
      withUnsafeTemporaryAllocation(byteCount: ES256Signature.longestDER, alignment: 8) { der in
        SHA256.hash(message, into: digest)
        var length = der.count
        let digest = digest.assumingMemoryBound(to: UInt8.self)
        let start = der.assumingMemoryBound(to: UInt8.self)
        guard EVP_PKEY_sign_init(context) == 1,
          EVP_PKEY_sign(context, start.baseAddress, &length, digest.baseAddress, digest.count) == 1
        else {
          ERR_clear_error()
          return false
        }
        return ES256Signature.writeRaw(der: UnsafeRawBufferPointer(rebasing: der[..<length]), into: raw)
      }
    }
  }
}

internal import COpenSSL

/// Random bytes and texts fit for keys and tokens, from OpenSSL's generator (one per thread, seeded by the kernel).
///
/// Usable from any thread. A generator that cannot be seeded stops the process: there is no safe way on.
package enum SecureRandom {
  package static func fill(_ buffer: UnsafeMutableRawBufferPointer) {
    guard buffer.count > 0 else { return }
    precondition(buffer.count <= Int(Int32.max))
    let done = RAND_bytes(buffer.baseAddress!.assumingMemoryBound(to: UInt8.self), Int32(buffer.count))
    precondition(done == 1, "the random generator cannot be seeded")
  }

  package static func bytes(_ count: Int) -> [UInt8] {
    [UInt8](unsafeUninitializedCapacity: count) { buffer, initialized in
      fill(UnsafeMutableRawBufferPointer(buffer))
      initialized = count
    }
  }

  /// A text of `length` letters and digits, each of the 62 equally likely: 5.95 bits a character, so 43 characters
  /// carry 256 bits.
  package static func base62(length: Int) -> String {
    // 248 is the largest multiple of 62 that a byte can hold; larger bytes would favour the first characters.
    let fair: UInt8 = 248
    return String(unsafeUninitializedCapacity: length) { text in
      var filled = 0
      withUnsafeTemporaryAllocation(byteCount: 64, alignment: 1) { pool in
        while filled < length {
          fill(pool)
          for byte in pool where byte < fair && filled < length {
            text[filled] = base62Alphabet.utf8Start[Int(byte % 62)]
            filled += 1
          }
        }
        OPENSSL_cleanse(pool.baseAddress, pool.count)
      }
      return filled
    }
  }

  /// `byteCount` random bytes as Base64url without padding.
  package static func base64URL(byteCount: Int) -> String {
    Base64URL.encode(bytes(byteCount))
  }

  private static let base62Alphabet: StaticString = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
}

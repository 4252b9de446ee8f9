internal import COpenSSL

/// A prepared HMAC-SHA-256 key (RFC 2104): the key is mixed in once, each message then costs two hash ends.
///
/// Owned by whoever signs; usable from any thread at once; the key's states are wiped with the last reference.
package final class HMACSHA256: @unchecked Sendable {
  package static let byteCount = 32
  /// RFC 2104, section 5: a shortened code keeps at least half of the hash.
  package static let shortestCode = 16

  // Proof of `Sendable`: written in `init` only, wiped and freed in `deinit` only; every call works on a copy.
  private let states: UnsafeMutablePointer<shim_hmac_sha256_key>

  package init(key: [UInt8]) {
    states = .allocate(capacity: 1)
    states.initialize(to: shim_hmac_sha256_key())
    key.withUnsafeBytes { shim_hmac_sha256_prepare(states, $0.baseAddress, $0.count) }
  }

  deinit {
    OPENSSL_cleanse(states, MemoryLayout<shim_hmac_sha256_key>.size)
    states.deallocate()
  }

  package func code(for message: [UInt8]) -> [UInt8] {
    [UInt8](unsafeUninitializedCapacity: Self.byteCount) { buffer, count in
      message.withUnsafeBytes { shim_hmac_sha256(states, $0.baseAddress, $0.count, buffer.baseAddress!) }
      count = Self.byteCount
    }
  }

  /// Fills `output` with the first bytes of the code: 16 (a shortened code) to 32. Nothing is allocated.
  package func writeCode(for message: UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer) {
    precondition((Self.shortestCode...Self.byteCount).contains(output.count))
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: Self.byteCount) { code in
      shim_hmac_sha256(states, message.baseAddress, message.count, code.baseAddress!)
      output.copyMemory(from: UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(code)[..<output.count]))
    }
  }

  /// Whether `code` is the code of `message`, or its first 16 or more bytes. Takes the same time wherever they differ.
  package func isValid(_ code: UnsafeRawBufferPointer, for message: UnsafeRawBufferPointer) -> Bool {
    guard (Self.shortestCode...Self.byteCount).contains(code.count) else { return false }
    return withUnsafeTemporaryAllocation(byteCount: code.count, alignment: 1) { expected in
      writeCode(for: message, into: expected)
      return constantTimeEquals(UnsafeRawBufferPointer(expected), code)
    }
  }

  package func isValid(_ code: [UInt8], for message: [UInt8]) -> Bool {
    code.withUnsafeBytes { code in message.withUnsafeBytes { isValid(code, for: $0) } }
  }
}

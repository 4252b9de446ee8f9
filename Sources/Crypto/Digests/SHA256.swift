internal import COpenSSL

/// SHA-256: at once with ``hash(_:)``, or piece by piece with ``update(_:)``.
///
/// A plain value without heap memory: a copy goes on from where the original stood.
package struct SHA256: Sendable {
  package static let byteCount = 32

  private var state = SHA256_CTX()

  package init() { shim_sha256_start(&state) }

  package mutating func update(_ bytes: UnsafeRawBufferPointer) {
    shim_sha256_add(&state, bytes.baseAddress, bytes.count)
  }

  package mutating func update(_ bytes: [UInt8]) {
    bytes.withUnsafeBytes { update($0) }
  }

  /// Writes the 32 bytes of the digest to the start of `digest`.
  package consuming func finish(into digest: UnsafeMutableRawBufferPointer) {
    precondition(digest.count >= SHA256.byteCount)
    shim_sha256_finish(&state, digest.baseAddress!.assumingMemoryBound(to: UInt8.self))
  }

  package consuming func finish() -> [UInt8] {
    var copy = self
    return [UInt8](unsafeUninitializedCapacity: SHA256.byteCount) { buffer, count in
      shim_sha256_finish(&copy.state, buffer.baseAddress!)
      count = SHA256.byteCount
    }
  }

  package static func hash(_ bytes: [UInt8]) -> [UInt8] {
    bytes.withUnsafeBytes { hash($0) }
  }

  package static func hash(_ bytes: UnsafeRawBufferPointer) -> [UInt8] {
    var hasher = SHA256()
    hasher.update(bytes)
    return hasher.finish()
  }

  /// Writes the 32 bytes of the digest to the start of `digest`; nothing is allocated.
  package static func hash(_ bytes: UnsafeRawBufferPointer, into digest: UnsafeMutableRawBufferPointer) {
    var hasher = SHA256()
    hasher.update(bytes)
    hasher.finish(into: digest)
  }
}

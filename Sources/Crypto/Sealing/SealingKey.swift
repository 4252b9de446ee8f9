internal import COpenSSL
package import ServiceKit

/// One 32-byte master key and the name by which sealed values ask for it.
///
/// The name is computed from the key, so that nobody has to number keys: it is the beginning of an HMAC and tells nothing of the
/// key. Any thread; wiped with the last reference.
package struct SealingKey: Sendable {
  static let byteCount = 32
  static let nameCount = 8

  let name: [UInt8]
  let bytes: SecretBytes

  /// Exactly 32 bytes.
  package init(_ secret: Secret<[UInt8]>) throws(CryptoError) {
    guard secret.exposed.count == Self.byteCount else { throw CryptoError(.invalidSealingKey) }
    bytes = secret.exposed.withUnsafeBytes(SecretBytes.init(copying:))
    name = Array(HMACSHA256(key: secret.exposed).code(for: Array("name of a sealing key".utf8))[..<Self.nameCount])
  }

  /// A new key from the random generator.
  package static func generate() -> Secret<[UInt8]> { Secret(SecureRandom.bytes(byteCount)) }
}

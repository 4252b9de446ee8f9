internal import Crypto
package import PushCore

extension APIKeySecret {
  /// 43 letters and digits hold 256 bits, and a double click selects them all.
  private static let length = 43

  /// From the system's cryptographic generator, each character equally likely.
  package static func make() -> APIKeySecret { APIKeySecret(Array(SecureRandom.base62(length: length).utf8)) }
}

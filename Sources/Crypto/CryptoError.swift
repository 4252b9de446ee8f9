/// Why a cryptographic operation gave no result. A plain value, safe to show: it never repeats what it was given.
package struct CryptoError: Error, Hashable, Sendable, CustomStringConvertible {
  package enum Code: String, Sendable, CaseIterable {
    /// The bytes do not have the sealed form.
    case notSealed
    /// Sealed under a key that is not among the given ones.
    case unknownSealingKey
    /// Changed since it was sealed, or sealed for another place.
    case notAuthentic
    /// A master key is not 32 bytes, or there is none.
    case invalidSealingKey
    /// Not a public key of the curve P-256.
    case invalidPublicKey
    /// The text is not an Argon2id hash that we would have made.
    case invalidPasswordHash
    /// A password is empty or too long.
    case invalidPasswordLength
    /// The library failed where only lack of memory can make it fail.
    case libraryFailure
  }

  package let code: Code

  init(_ code: Code) { self.code = code }

  package var description: String {
    switch code {
    case .notSealed: "the value is not sealed"
    case .unknownSealingKey: "the value was sealed with a key that is not configured"
    case .notAuthentic: "the sealed value was changed or belongs to another place"
    case .invalidSealingKey: "a sealing key must have 32 bytes"
    case .invalidPublicKey: "this is not a public key of the curve P-256"
    case .invalidPasswordHash: "this is not a password hash"
    case .invalidPasswordLength: "a password has 1 to \(1024) bytes"
    case .libraryFailure: "the cryptographic library failed"
    }
  }
}

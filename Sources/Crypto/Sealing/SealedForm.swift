/// How a sealed value lies in its bytes: version (1), name of the key (8), nonce (12), ciphertext, tag (16). Version and
/// name are authenticated with the place.
struct SealedForm {
  static let version: UInt8 = 1
  static let nonceCount = 12
  static let tagCount = 16
  static let authenticatedCount = 1 + SealingKey.nameCount
  static let headerCount = authenticatedCount + nonceCount

  let keyName: ArraySlice<UInt8>
  let nonce: ArraySlice<UInt8>
  let ciphertextAndTag: ArraySlice<UInt8>

  init(_ sealed: [UInt8]) throws(CryptoError) {
    guard sealed.count >= Self.headerCount + Self.tagCount, sealed[0] == Self.version else {
      throw CryptoError(.notSealed)
    }
    keyName = sealed[1..<Self.authenticatedCount]
    nonce = sealed[Self.authenticatedCount..<Self.headerCount]
    ciphertextAndTag = sealed[Self.headerCount...]
  }

  static func header(keyName: [UInt8], nonce: [UInt8]) -> [UInt8] { [version] + keyName + nonce }
}

package import ServiceKit

/// Seals small values for storage with AES-256-GCM under a master key; the other keys open what was sealed before a rotation.
///
/// Made by the composition root from the configured keys; usable from any thread at once. Nonces are random (96 bits), which
/// is safe for 2^32 values under one key (NIST SP 800-38D, section 8.3).
package final class AESGCMSealer: Sendable {
  private let keys: [SealingKey]

  /// The first key seals; all open.
  package init(_ first: SealingKey, opening others: [SealingKey] = []) {
    keys = [first] + others
  }

  /// How many bytes a sealed value is longer than the plain one.
  package static let overhead = SealedForm.headerCount + SealedForm.tagCount

  package func seal(_ plain: [UInt8], for place: AssociatedData) throws(CryptoError) -> [UInt8] {
    let nonce = SecureRandom.bytes(SealedForm.nonceCount)
    var sealed = SealedForm.header(keyName: keys[0].name, nonce: nonce)
    let authenticated = sealed[..<SealedForm.authenticatedCount] + place.bytes
    sealed += try AESGCM.encrypt(plain, authenticated: Array(authenticated), nonce: nonce, key: keys[0].bytes)
    return sealed
  }

  package func open(_ sealed: [UInt8], for place: AssociatedData) throws(CryptoError) -> Secret<[UInt8]> {
    let form = try SealedForm(sealed)
    guard let key = keys.first(where: { $0.name.elementsEqual(form.keyName) }) else {
      throw CryptoError(.unknownSealingKey)
    }
    let authenticated = sealed[..<SealedForm.authenticatedCount] + place.bytes
    let plain = try AESGCM.decrypt(
      form.ciphertextAndTag, authenticated: Array(authenticated), nonce: Array(form.nonce), key: key.bytes)
    return Secret(plain)
  }

  /// Whether the value should be sealed again: it is under a key that no longer seals. `false` for what is not sealed.
  package func isOutdated(_ sealed: [UInt8]) -> Bool {
    // A value that has not the form cannot be sealed again; opening it says why.
    guard let form = try? SealedForm(sealed) else { return false }
    return !form.keyName.elementsEqual(keys[0].name)
  }
}

internal import Crypto
internal import PushCore

/// An app's two keys for keyed hashes, opened, and the epoch of its receipt tokens. Immutable; freed with its last user.
struct AppKeys: Sendable {
  let receipt: HMACSHA256
  let delivery: HMACSHA256
  let epoch: Int32

  static let keyLength = 32

  /// Two new keys, sealed for the row of `app`.
  static func makeSealed(for app: AppID, with sealer: Sealer) throws -> [UInt8] {
    try sealer.seal(SecureRandom.bytes(2 * keyLength), context: .appKeys(of: app))
  }

  init(sealed: [UInt8], epoch: Int32, of app: AppID, with sealer: Sealer) throws {
    let keys = try sealer.open(sealed, context: .appKeys(of: app))
    guard keys.count == 2 * Self.keyLength else { throw StoreError(.unsealable) }
    receipt = HMACSHA256(key: Array(keys[..<Self.keyLength]))
    delivery = HMACSHA256(key: Array(keys[Self.keyLength...]))
    self.epoch = epoch
  }
}

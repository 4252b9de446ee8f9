internal import Crypto
internal import PushCore

/// An API key as it is looked up: by its owner and the hash of its secret. The secret itself is not kept, not even in a cache.
struct PresentedKeyHash: Sendable, Hashable {
  let owner: APIKeyOwner
  let hash: [UInt8]

  init(_ key: PresentedAPIKey) {
    owner = key.owner
    hash = SHA256.hash(key.secret)
  }

  init(owner: APIKeyOwner, hash: [UInt8]) {
    self.owner = owner
    self.hash = hash
  }
}

extension APIKeySecret {
  var hash: [UInt8] { SHA256.hash(bytes) }
}

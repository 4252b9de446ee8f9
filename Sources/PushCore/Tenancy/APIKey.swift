/// What an API key may do. The first four are for keys of an account, the rest for keys of one app.
package enum Permission: String, Sendable, Hashable, CaseIterable {
  case apps, keys, members, audit
  case sendMessages = "messages:send"
  case readMessages = "messages:read"
  case readInstallations = "installations:read"
  case writeInstallations = "installations:write"
  case users, segments, channels, events

  package var isForAccounts: Bool {
    switch self {
    case .apps, .keys, .members, .audit: true
    case .sendMessages, .readMessages, .readInstallations, .writeInstallations, .users, .segments, .channels, .events:
      false
    }
  }
}

/// Whom an API key belongs to.
package enum APIKeyOwner: Sendable, Hashable {
  case account(AccountID)
  case app(AppID)
}

/// What is kept of an API key: everything but the secret, of which there is only a hash.
package struct APIKey: Sendable, Hashable {
  package let id: APIKeyID
  package let owner: APIKeyOwner
  package let name: String
  package let permissions: Set<Permission>
  package let createdAt: Timestamp
  package let expiresAt: Timestamp?
  package let revokedAt: Timestamp?
  package let lastUsedAt: Timestamp?

  package init(
    id: APIKeyID, owner: APIKeyOwner, name: String, permissions: Set<Permission>, createdAt: Timestamp,
    expiresAt: Timestamp? = nil, revokedAt: Timestamp? = nil, lastUsedAt: Timestamp? = nil
  ) {
    self.id = id
    self.owner = owner
    self.name = name
    self.permissions = permissions
    self.createdAt = createdAt
    self.expiresAt = expiresAt
    self.revokedAt = revokedAt
    self.lastUsedAt = lastUsedAt
  }
}

/// A key's text as a caller presents it: `bpk_<owner id>_<secret>`. The owner stands in the text so that a check reads one
/// app's rows. Printing shows the owner only.
package struct PresentedAPIKey: Sendable, CustomStringConvertible, CustomReflectable {
  package let owner: APIKeyOwner
  /// 32 random bytes in base62 or base64url; only ever hashed.
  package let secret: [UInt8]

  package init(owner: APIKeyOwner, secret: [UInt8]) {
    self.owner = owner
    self.secret = secret
  }

  /// `nil` when the text is not a key's at all.
  package init?(_ text: String) {
    let parts = text.split(separator: "_", maxSplits: 3, omittingEmptySubsequences: false)
    guard parts.count == 4, parts[0] == "bpk", (20...128).contains(parts[3].utf8.count) else { return nil }
    let owner = "\(parts[1])_\(parts[2])"
    if let app = AppID(owner) {
      self.owner = .app(app)
    } else if let account = AccountID(owner) {
      self.owner = .account(account)
    } else {
      return nil
    }
    secret = Array(parts[3].utf8)
  }

  /// The one place that spells a key out: for the answer that shows it, once.
  package var text: String {
    switch owner {
    case .account(let id): "bpk_\(id)_\(String(decoding: secret, as: UTF8.self))"
    case .app(let id): "bpk_\(id)_\(String(decoding: secret, as: UTF8.self))"
    }
  }

  package var description: String { "<key of \(owner)>" }
  package var customMirror: Mirror { Mirror(self, children: [:]) }
}

/// Who is asking, proved. Each scope can be made only in this file, by something that has authenticated the caller, and every
/// port that touches a tenant's rows asks for one: a query without a tenant does not compile.

/// The operator, who presented the operator token.
package struct OperatorScope: Sendable, Hashable {
  fileprivate init() {}

  /// `isAuthentic` is the result of a constant-time comparison with the configured token.
  package static func authenticated(_ isAuthentic: Bool) -> OperatorScope? { isAuthentic ? OperatorScope() : nil }
}

/// An account, with what its key may do.
package struct AccountScope: Sendable, Hashable {
  package let account: AccountID
  package let permissions: Set<Permission>

  fileprivate init(account: AccountID, permissions: Set<Permission>) {
    self.account = account
    self.permissions = permissions
  }

  package init?(key: APIKey, at now: Timestamp) {
    guard key.isLive(at: now), case .account(let account) = key.owner else { return nil }
    self.init(account: account, permissions: key.permissions)
  }
}

/// One app. Whatever is done with it can touch no other app's rows.
package struct TenantScope: Sendable, Hashable {
  package let app: AppID
  /// What the caller may do there; the worker and devices have none of the sender's.
  package let permissions: Set<Permission>

  fileprivate init(app: AppID, permissions: Set<Permission> = []) {
    self.app = app
    self.permissions = permissions
  }

  /// A sender's key of this app.
  package init?(key: APIKey, at now: Timestamp) {
    guard key.isLive(at: now), case .app(let app) = key.owner else { return nil }
    self.init(app: app, permissions: key.permissions)
  }

  /// An account's own app, looked up under that account.
  package init?(app: App, ownedBy account: AccountScope) {
    guard app.account == account.account else { return nil }
    self.init(app: app.id)
  }

  /// A device that knows only the app's public id: good for registering itself.
  package init(registeringWith app: App) { self.init(app: app.id) }

  /// A worker, acting for the app whose work it is about to claim.
  package init(working authority: WorkerAuthority, for app: AppID) { self.init(app: app) }
}

/// A device that presented the receipt token of this installation.
package struct DeviceScope: Sendable, Hashable {
  package let tenant: TenantScope
  package let installation: InstallationID

  /// `isAuthentic` is the result of a constant-time comparison with the token's MAC.
  package static func authenticated(_ isAuthentic: Bool, installation: InstallationID, of app: AppID) -> DeviceScope? {
    isAuthentic ? DeviceScope(tenant: TenantScope(app: app), installation: installation) : nil
  }
}

/// The right to work for any app. Made once, by the composition root, for one start of one worker process.
package struct WorkerAuthority: Sendable, Hashable {
  package let worker: WorkerID
  package init(worker: WorkerID) { self.worker = worker }
}

extension APIKey {
  fileprivate func isLive(at now: Timestamp) -> Bool {
    revokedAt == nil && expiresAt.map { now < $0 } ?? true
  }
}

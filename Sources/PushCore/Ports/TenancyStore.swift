/// Accounts, apps, API keys and APNs credentials. Implemented by the store; usable from any thread. A write is durable when the call
/// returns.
package protocol TenancyStore: Sendable {
  // Accounts, for the operator.
  func createAccount(named name: String, firstKey: NewAPIKey, as scope: OperatorScope) async throws -> Account
  func accounts(_ page: PageRequest, as scope: OperatorScope) async throws -> Page<Account>
  func account(_ id: AccountID, as scope: OperatorScope) async throws -> Account
  /// `nil` leaves a field as it is.
  func updateAccount(_ id: AccountID, name: String?, suspension: Suspension?, as scope: OperatorScope) async throws
    -> Account
  /// With its apps and everything in them.
  func deleteAccount(_ id: AccountID, as scope: OperatorScope) async throws
  /// A further key of an account, for one whose keys were lost.
  func createKey(_ key: NewAPIKey, for account: AccountID, as scope: OperatorScope) async throws -> APIKey

  // Apps, for their account.
  func createApp(named name: String, environment: PushEnvironment, as scope: AccountScope) async throws -> App
  func apps(_ page: PageRequest, as scope: AccountScope) async throws -> Page<App>
  /// An app of this account; `notFound` for anybody else's. It is what makes a ``TenantScope`` for an account.
  func app(_ id: AppID, as scope: AccountScope) async throws -> App
  func updateApp(name: String, in scope: TenantScope) async throws -> App
  func deleteApp(in scope: TenantScope) async throws

  /// An app by its public id, for a device that registers; `nil` when there is none or its account is suspended.
  /// Cached for seconds.
  func publicApp(_ id: AppID) async throws -> App?

  // Keys.
  func createKey(_ key: NewAPIKey, in scope: TenantScope) async throws -> APIKey
  func keys(_ page: PageRequest, in scope: TenantScope) async throws -> Page<APIKey>
  /// A new secret under a new id; the old key lives on until `overlap` has passed.
  func rotateKey(_ id: APIKeyID, to secret: APIKeySecret, overlap: Seconds, in scope: TenantScope) async throws
    -> APIKey
  func revokeKey(_ id: APIKeyID, in scope: TenantScope) async throws

  /// The key that has this secret, live or not, unless its account is suspended; `nil` when there is none. Cached for seconds, so
  /// that a revocation reaches every process within seconds.
  func key(presented key: PresentedAPIKey) async throws -> APIKey?

  // The app's credential with Apple.
  func setCredential(_ credential: APNsCredential, in scope: TenantScope) async throws -> APNsCredentialInfo
  func credential(in scope: TenantScope) async throws -> APNsCredentialInfo
  func deleteCredential(in scope: TenantScope) async throws
}

package enum Suspension: Sendable, Hashable { case suspend, lift }

/// The random part of a key's text, kept as its hash only. Printing shows nothing.
package struct APIKeySecret: Sendable, CustomStringConvertible, CustomReflectable {
  package let bytes: [UInt8]
  package init(_ bytes: [UInt8]) { self.bytes = bytes }
  package var description: String { "<secret>" }
  package var customMirror: Mirror { Mirror(self, children: [:]) }
}

package struct NewAPIKey: Sendable {
  package let name: String
  package let permissions: Set<Permission>
  package let expiresAt: Timestamp?
  package let secret: APIKeySecret

  package init(name: String, permissions: Set<Permission>, expiresAt: Timestamp?, secret: APIKeySecret) {
    self.name = name
    self.permissions = permissions
    self.expiresAt = expiresAt
    self.secret = secret
  }
}

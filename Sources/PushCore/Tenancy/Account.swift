/// A customer of the service, made by the operator; owns apps.
package struct Account: Sendable, Hashable {
  package let id: AccountID
  package let name: String
  package let createdAt: Timestamp
  /// While set, every key of the account and of its apps is refused.
  package let suspendedAt: Timestamp?

  package init(id: AccountID, name: String, createdAt: Timestamp, suspendedAt: Timestamp?) {
    self.id = id
    self.name = name
    self.createdAt = createdAt
    self.suspendedAt = suspendedAt
  }
}

/// One app of an account: the tenant.
package struct App: Sendable, Hashable {
  package let id: AppID
  package let account: AccountID
  package let name: String
  package let environment: PushEnvironment
  package let createdAt: Timestamp

  package init(id: AppID, account: AccountID, name: String, environment: PushEnvironment, createdAt: Timestamp) {
    self.id = id
    self.account = account
    self.name = name
    self.environment = environment
    self.createdAt = createdAt
  }
}

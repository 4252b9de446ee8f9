internal import Postgres
package import PushCore

extension PostgresStore {
  package func createAccount(named name: String, firstKey: NewAPIKey, as scope: OperatorScope) async throws -> Account {
    let id = AccountID.make()
    return try await api.withTransaction { connection in
      let account = try await connection.queryFirst(
        """
        INSERT INTO accounts (account_id, name, created_at)
        VALUES (\(id), \(name), now())
        RETURNING \(fragment: Account.columns)
        """
      ) { try Account(row: $0) }
      _ = try await self.insertKey(firstKey, for: id, on: connection)
      return try account.found()
    }
  }

  package func accounts(_ page: PageRequest, as scope: OperatorScope) async throws -> Page<Account> {
    let after = AccountID(page.after?.value ?? 0)
    let accounts = try await api.query(
      """
      SELECT \(fragment: Account.columns)
      FROM accounts
      WHERE account_id > \(after)
      ORDER BY account_id
      LIMIT \(page.limit + 1)
      """
    ) { try Account(row: $0) }
    return Page(accounts, limit: page.limit) { $0.id.value }
  }

  package func account(_ id: AccountID, as scope: OperatorScope) async throws -> Account {
    try await api.queryFirst(
      """
      SELECT \(fragment: Account.columns)
      FROM accounts
      WHERE account_id = \(id)
      """
    ) { try Account(row: $0) }.found()
  }

  package func updateAccount(
    _ id: AccountID, name: String?, suspension: Suspension?, as scope: OperatorScope
  ) async throws -> Account {
    try await api.queryFirst(
      """
      UPDATE accounts
      SET name = coalesce(\(name), name),
          suspended_at = CASE WHEN \(suspension == .suspend) THEN coalesce(suspended_at, now())
                              WHEN \(suspension == .lift) THEN NULL
                              ELSE suspended_at END
      WHERE account_id = \(id)
      RETURNING \(fragment: Account.columns)
      """
    ) { try Account(row: $0) }.found()
  }

  /// The account and its keys go at once, and so do its apps for everybody; their rows are removed in slices (see `prune`).
  package func deleteAccount(_ id: AccountID, as scope: OperatorScope) async throws {
    let apps = try await api.withTransaction { connection in
      // First: it waits for apps that are being made and keeps new ones out.
      let deleted = try await connection.execute("DELETE FROM accounts WHERE account_id = \(id)")
      guard deleted > 0 else { throw StoreRefusal.notFound }
      let apps = try await self.appIDs(of: id, on: connection)
      for app in apps { _ = try await self.markDeleted(app, on: connection) }
      return apps
    }
    for app in apps { forget(app) }
  }

  package func createKey(_ key: NewAPIKey, for account: AccountID, as scope: OperatorScope) async throws -> APIKey {
    try await api.withTransaction { connection in
      try await self.lockAccount(account, on: connection)
      return try await self.insertKey(key, for: account, on: connection)
    }
  }

  /// Keeps the account from being deleted until the transaction ends.
  func lockAccount(_ id: AccountID, on connection: PostgresConnection) async throws {
    _ = try await connection.queryFirst("SELECT account_id FROM accounts WHERE account_id = \(id) FOR KEY SHARE") {
      try $0.value(0, as: AccountID.self)
    }.found()
  }

  private func insertKey(
    _ key: NewAPIKey, for account: AccountID, on connection: PostgresConnection
  ) async throws -> APIKey {
    try await connection.queryFirst(
      """
      INSERT INTO account_keys AS k (account_id, id, name, permissions, secret_hash, created_at, expires_at)
      VALUES (\(account), \(APIKeyID.make()), \(key.name), \(key.permissions.sorted), \(key.secret.hash), now(),
              \(key.expiresAt))
      RETURNING \(fragment: APIKey.columns)
      """
    ) { try APIKey(row: $0, owner: .account(account)) }.found()
  }
}

extension Set<Permission> {
  /// In one order, so that two equal sets are kept alike.
  var sorted: [Permission] { self.sorted { $0.rawValue < $1.rawValue } }
}

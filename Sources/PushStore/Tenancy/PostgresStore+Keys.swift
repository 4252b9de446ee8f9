package import PushCore

internal import Postgres

extension PostgresStore {
  package func createKey(_ key: NewAPIKey, in scope: TenantScope) async throws -> APIKey {
    try await api.withTransaction { connection in
      _ = try await connection.queryFirst(
        "SELECT app_id FROM apps WHERE app_id = \(scope.app) AND deleted_at IS NULL FOR KEY SHARE"
      ) { try $0.value(0, as: AppID.self) }.found()
      return try await self.insert(key, in: scope.app, on: connection)
    }
  }

  package func keys(_ page: PageRequest, in scope: TenantScope) async throws -> Page<APIKey> {
    let after = APIKeyID(page.after?.value ?? 0)
    let keys = try await api.query(
      """
      SELECT \(fragment: APIKey.columns)
      FROM api_keys k
      WHERE k.app_id = \(scope.app) AND k.id > \(after)
      ORDER BY k.id
      LIMIT \(page.limit + 1)
      """
    ) { try APIKey(row: $0, owner: .app(scope.app)) }
    return Page(keys, limit: page.limit) { $0.id.value }
  }

  package func rotateKey(
    _ id: APIKeyID, to secret: APIKeySecret, overlap: Seconds, in scope: TenantScope
  ) async throws -> APIKey {
    try await api.withTransaction { connection in
      let found = try await connection.queryFirst(
        """
        SELECT \(fragment: APIKey.columns), k.revoked_at IS NULL AND coalesce(k.expires_at > now(), true)
        FROM api_keys k
        WHERE k.app_id = \(scope.app) AND k.id = \(id)
        FOR UPDATE
        """
      ) { (key: try APIKey(row: $0, owner: .app(scope.app)), isLive: try $0.value(7, as: Bool.self)) }
      let old = try found.found()
      guard old.isLive else { throw StoreRefusal.conflict("key_not_live") }
      try await connection.execute(
        """
        UPDATE api_keys
        SET expires_at = least(coalesce(expires_at, 'infinity'), now() + make_interval(secs => \(overlap.interval)))
        WHERE app_id = \(scope.app) AND id = \(id)
        """)
      let next = NewAPIKey(
        name: old.key.name, permissions: old.key.permissions, expiresAt: old.key.expiresAt, secret: secret)
      return try await self.insert(next, in: scope.app, on: connection)
    }
  }

  package func revokeKey(_ id: APIKeyID, in scope: TenantScope) async throws {
    let hash = try await api.queryFirst(
      """
      UPDATE api_keys
      SET revoked_at = coalesce(revoked_at, now())
      WHERE app_id = \(scope.app) AND id = \(id)
      RETURNING secret_hash
      """
    ) { try $0.value(0, as: [UInt8].self) }.found()
    keys.remove(PresentedKeyHash(owner: .app(scope.app), hash: hash))
  }

  package func key(presented key: PresentedAPIKey) async throws -> APIKey? {
    let name = PresentedKeyHash(key)
    if let known = keys.value(for: name) { return known }
    let found =
      switch key.owner {
      case .app(let app): try await stored(name, of: app)
      case .account(let account): try await stored(name, of: account)
      }
    keys.insert(found?.key, for: name)
    if let found, found.isUseWorthNoting { try await noteUse(of: found.key) }
    return found?.key
  }

  private func insert(_ key: NewAPIKey, in app: AppID, on connection: PostgresConnection) async throws -> APIKey {
    try await connection.queryFirst(
      """
      INSERT INTO api_keys AS k (app_id, id, name, permissions, secret_hash, created_at, expires_at)
      VALUES (\(app), \(APIKeyID.make()), \(key.name), \(key.permissions.sorted), \(key.secret.hash), now(),
              \(key.expiresAt))
      RETURNING \(fragment: APIKey.columns)
      """
    ) { try APIKey(row: $0, owner: .app(app)) }.found()
  }

  private typealias FoundKey = (key: APIKey, isUseWorthNoting: Bool)

  private func stored(_ name: PresentedKeyHash, of app: AppID) async throws -> FoundKey? {
    try await api.queryFirst(
      """
      SELECT \(fragment: APIKey.columns), coalesce(k.last_used_at < now() - interval '1 minute', true)
      FROM api_keys k
      JOIN apps a ON a.app_id = k.app_id
      JOIN accounts c ON c.account_id = a.account_id
      WHERE k.app_id = \(app) AND k.secret_hash = \(name.hash)
        AND a.app_id = \(app) AND a.deleted_at IS NULL AND c.suspended_at IS NULL
      """
    ) { (try APIKey(row: $0, owner: .app(app)), try $0.value(7)) }
  }

  private func stored(_ name: PresentedKeyHash, of account: AccountID) async throws -> FoundKey? {
    try await api.queryFirst(
      """
      SELECT \(fragment: APIKey.columns), coalesce(k.last_used_at < now() - interval '1 minute', true)
      FROM account_keys k
      JOIN accounts c ON c.account_id = k.account_id
      WHERE k.account_id = \(account) AND k.secret_hash = \(name.hash) AND c.suspended_at IS NULL
      """
    ) { (try APIKey(row: $0, owner: .account(account)), try $0.value(7)) }
  }

  /// At most once a minute for a key, whatever the number of processes.
  private func noteUse(of key: APIKey) async throws {
    switch key.owner {
    case .app(let app):
      try await api.execute(
        """
        UPDATE api_keys
        SET last_used_at = now()
        WHERE app_id = \(app) AND id = \(key.id) AND coalesce(last_used_at < now() - interval '1 minute', true)
        """)
    case .account(let account):
      try await api.execute(
        """
        UPDATE account_keys
        SET last_used_at = now()
        WHERE account_id = \(account) AND id = \(key.id) AND coalesce(last_used_at < now() - interval '1 minute', true)
        """)
    }
  }
}

extension Seconds {
  /// The form that `make_interval(secs => ...)` takes.
  var interval: Double { Double(count) }
}

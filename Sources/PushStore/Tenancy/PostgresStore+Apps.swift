internal import Crypto
internal import Postgres
package import PushCore

extension PostgresStore {
  package func createApp(
    named name: String, environment: PushEnvironment, as scope: AccountScope
  ) async throws -> App {
    let id = AppID.make()
    let sealed = try AppKeys.makeSealed(for: id, with: sealer)
    return try await api.withTransaction { connection in
      try await self.lockAccount(scope.account, on: connection)
      return try await connection.queryFirst(
        """
        INSERT INTO apps AS a (app_id, account_id, name, environment, sealed_keys, created_at)
        VALUES (\(id), \(scope.account), \(name), \(environment), \(sealed), now())
        RETURNING \(fragment: App.columns)
        """
      ) { try App(row: $0) }.found()
    }
  }

  package func app(_ id: AppID, as scope: AccountScope) async throws -> App {
    try await api.queryFirst(
      """
      SELECT \(fragment: App.columns)
      FROM apps a
      WHERE a.app_id = \(id) AND a.account_id = \(scope.account) AND a.deleted_at IS NULL
      """
    ) { try App(row: $0) }.found()
  }

  package func updateApp(name: String, in scope: TenantScope) async throws -> App {
    let app = try await api.queryFirst(
      """
      UPDATE apps a
      SET name = \(name)
      WHERE a.app_id = \(scope.app) AND a.deleted_at IS NULL
      RETURNING \(fragment: App.columns)
      """
    ) { try App(row: $0) }.found()
    publicApps.remove(scope.app)
    return app
  }

  package func deleteApp(in scope: TenantScope) async throws {
    let isDeleted = try await api.withTransaction { try await self.markDeleted(scope.app, on: $0) }
    forget(scope.app)
    guard isDeleted else { throw StoreRefusal.notFound }
  }

  package func publicApp(_ id: AppID) async throws -> App? {
    if let known = publicApps.value(for: id) { return known }
    let app = try await api.queryFirst(
      """
      SELECT \(fragment: App.columns)
      FROM apps a
      JOIN accounts c ON c.account_id = a.account_id
      WHERE a.app_id = \(id) AND a.deleted_at IS NULL AND c.suspended_at IS NULL
      """
    ) { try App(row: $0) }
    publicApps.insert(app, for: id)
    return app
  }

  /// From here on nobody finds the app; its secrets go at once. False when it was gone before.
  func markDeleted(_ app: AppID, on connection: PostgresConnection) async throws -> Bool {
    let marked = try await connection.execute(
      "UPDATE apps SET deleted_at = now() WHERE app_id = \(app) AND deleted_at IS NULL")
    try await connection.execute("DELETE FROM api_keys WHERE app_id = \(app)")
    try await connection.execute("DELETE FROM apns_credentials WHERE app_id = \(app)")
    return marked > 0
  }

  /// This process need not wait for its caches.
  func forget(_ app: AppID) {
    publicApps.remove(app)
    appKeys.remove(app)
  }
}

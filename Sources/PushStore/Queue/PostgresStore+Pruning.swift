package import PushCore

internal import Postgres

extension PostgresStore {
  /// Removes what nobody needs any more in bounded slices: idempotency keys past their lifetime, and the rows of deleted apps. Returns
  /// how many rows went; 0 when there is nothing left. For whoever keeps house, every few minutes, again and again until 0.
  package func prune(as authority: WorkerAuthority) async throws -> Int {
    var removed = 0
    for app in try await appsWithOldKeys() { removed += try await pruneKeys(of: app) }
    for app in try await deletedApps() { removed += try await pruneDeleted(app) }
    return removed
  }

  /// Rows in one statement: a few milliseconds, so that nobody waits for them.
  private static let slice = 1000

  private func pruneKeys(of app: AppID) async throws -> Int {
    try await worker.execute(
      """
      DELETE FROM idempotency_keys
      WHERE app_id = \(app) AND key = ANY (ARRAY(
        SELECT k.key
        FROM idempotency_keys k
        WHERE k.app_id = \(app) AND k.created_at < now() - \(fragment: MessageWriter.keyLifetime)
        ORDER BY k.created_at
        LIMIT \(Self.slice)))
      """)
  }

  /// A slice of the first table that still has rows; the app's own row goes when none has.
  private func pruneDeleted(_ app: AppID) async throws -> Int {
    for table in Self.tenantTables {
      // The first columns of each key, whatever they are; ctid is stable within the statement.
      let removed = try await worker.execute(
        """
        DELETE FROM \(fragment: table)
        WHERE app_id = \(app) AND ctid = ANY (ARRAY(
          SELECT ctid FROM \(fragment: table) WHERE app_id = \(app) LIMIT \(Self.slice)))
        """)
      if removed > 0 { return removed }
    }
    return try await worker.execute("DELETE FROM apps WHERE app_id = \(app) AND deleted_at IS NOT NULL")
  }

  /// Batches first: nothing is sent of what is half gone.
  private static let tenantTables: [Query] = [
    "batches", "receipts", "deliveries", "message_tallies", "messages", "installations", "idempotency_keys", "api_keys",
    "apns_credentials",
  ]
}

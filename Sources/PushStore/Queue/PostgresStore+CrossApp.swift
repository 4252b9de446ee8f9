package import PushCore

internal import Postgres

/// The statements that look at all apps at once, all of them: they take no locks, are off the hot path, and their figures may be torn
/// between apps. Everything else in this module names one app.
extension PostgresStore {
  /// One look into the index of queued batches for each app that is not held, each at most a thousand entries long. Apps with nothing
  /// due cost one descent into an index that holds only what is queued. Not a scan of the queue: a broadcast's or a held app's
  /// backlog would be counted on every look. Joins on app_id alone, so that it runs on Citus as it stands.
  package func dueWork(as authority: WorkerAuthority) async throws -> [DueWork] {
    let rows = try await worker.query(
      """
      SELECT a.app_id, t.batches, k.batches
      FROM apps a
      CROSS JOIN LATERAL (
        SELECT count(*) AS batches FROM (
          SELECT FROM batches b
          WHERE b.app_id = a.app_id AND b.lane = \(Lane.transactional) AND b.state = 0 AND b.due_at <= now()
          LIMIT 1000) due) t
      CROSS JOIN LATERAL (
        SELECT count(*) AS batches FROM (
          SELECT FROM batches b
          WHERE b.app_id = a.app_id AND b.lane = \(Lane.bulk) AND b.state = 0 AND b.due_at <= now()
          LIMIT 1000) due) k
      WHERE a.held_at IS NULL AND a.deleted_at IS NULL AND t.batches + k.batches > 0
      """
    ) { (app: try $0.value(0, as: AppID.self), lanes: [try $0.value(1, as: Int.self), try $0.value(2, as: Int.self)]) }
    return rows.flatMap { row in
      zip([Lane.transactional, .bulk], row.lanes).compactMap { lane, batches in
        batches > 0 ? DueWork(app: row.app, lane: lane, batches: batches) : nil
      }
    }
  }

  package func nextDue(as authority: WorkerAuthority) async throws -> Seconds? {
    let seconds = try await worker.queryFirst(
      """
      SELECT ceil(extract(epoch FROM min(n.due_at) - now()))::bigint
      FROM apps a
      CROSS JOIN (VALUES (\(Lane.transactional)), (\(Lane.bulk))) l (lane)
      CROSS JOIN LATERAL (
        SELECT b.due_at
        FROM batches b
        WHERE b.app_id = a.app_id AND b.lane = l.lane AND b.state = 0
          AND b.due_at > now() AND b.due_at < now() + interval '1 hour'
        ORDER BY b.due_at
        LIMIT 1) n
      WHERE a.held_at IS NULL AND a.deleted_at IS NULL
      """
    ) { try $0.optional(0, as: Int64.self) }
    return seconds.flatMap { $0 }.map { Seconds(max(0, $0)) }
  }

  /// Which apps have claimed batches whose time is over. Only a hint: the lease is judged again where it is ended.
  func appsWithExpiredLeases() async throws -> [AppID] {
    try await worker.query(
      "SELECT DISTINCT app_id FROM batches WHERE state = 1 AND lease_until < now() LIMIT 1000"
    ) { try $0.value(0) }
  }

  package func apps(_ page: PageRequest, as scope: AccountScope) async throws -> Page<App> {
    let after = AppID(page.after?.value ?? 0)
    let apps = try await api.query(
      """
      SELECT \(fragment: App.columns)
      FROM apps a
      WHERE a.account_id = \(scope.account) AND a.deleted_at IS NULL AND a.app_id > \(after)
      ORDER BY a.app_id
      LIMIT \(page.limit + 1)
      """
    ) { try App(row: $0) }
    return Page(apps, limit: page.limit) { $0.id.value }
  }

  func appIDs(of account: AccountID, on connection: PostgresConnection) async throws -> [AppID] {
    try await connection.query("SELECT app_id FROM apps WHERE account_id = \(account) AND deleted_at IS NULL") {
      try $0.value(0)
    }
  }

  /// Apps that have idempotency keys past their lifetime.
  func appsWithOldKeys() async throws -> [AppID] {
    try await worker.query(
      """
      SELECT a.app_id
      FROM apps a
      CROSS JOIN LATERAL (
        SELECT FROM idempotency_keys k
        WHERE k.app_id = a.app_id AND k.created_at < now() - \(fragment: MessageWriter.keyLifetime)
        LIMIT 1) old
      LIMIT 1000
      """
    ) { try $0.value(0) }
  }

  /// Apps that nobody finds any more and whose rows are still there. After an hour no cache knows them and no batch of theirs is being
  /// worked on.
  func deletedApps() async throws -> [AppID] {
    try await worker.query(
      "SELECT app_id FROM apps WHERE deleted_at < now() - interval '1 hour' LIMIT 100"
    ) { try $0.value(0) }
  }
}

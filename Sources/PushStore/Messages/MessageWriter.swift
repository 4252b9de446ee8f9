internal import Postgres
internal import PushCore

/// Commits a group of one app's new messages with their batches and idempotency keys, and wakes the workers once.
///
/// A value, owned by the gatherer. The key is written first and never looked up before: of any number of requests with one key, here
/// or in other processes, one inserts it and the others find it.
struct MessageWriter: Sendable {
  let pool: ConnectionPool

  typealias Answer = Result<MessageCreation, any Error>

  /// How long a key stands for its request.
  static let keyLifetime: Query = "interval '30 days'"

  func commit(_ messages: [NewMessage], of app: AppID) async throws -> [Answer] {
    try await pool.withTransaction { connection in
      let winners = try await claimKeys(of: messages, of: app, on: connection)
      let made = messages.filter { $0.idempotency == nil || winners.contains($0.id) }
      let created = try await insert(made, of: app, on: connection)
      var kept: [String: KeptKey] = [:]
      if made.count < messages.count {
        kept = try await keptKeys(messages.compactMap(\.idempotency?.key), of: app, on: connection)
      }
      return messages.map { answer(for: $0, created: created, kept: kept) }
    }
  }

  private func answer(for message: NewMessage, created: [MessageID: CreatedMessage], kept: [String: KeptKey]) -> Answer
  {
    if let created = created[message.id] { return .success(.created(created)) }
    // Written by another transaction and gone before we looked: it was older than its lifetime and pruned just now.
    guard let claim = message.idempotency, let kept = kept[claim.key] else { return .failure(StoreError(.contended)) }
    return .success(kept.bodyHash == claim.bodyHash ? .replayed(kept.message) : .keyReused)
  }

  // MARK: Keys

  /// The messages whose key nobody has used. Waits for transactions that are writing the same keys.
  private func claimKeys(
    of messages: [NewMessage], of app: AppID, on connection: PostgresConnection
  ) async throws -> Set<MessageID> {
    let claims = messages.compactMap { message in message.idempotency.map { (id: message.id, claim: $0) } }
      .sorted { $0.claim.key < $1.claim.key }
    guard !claims.isEmpty else { return [] }
    try await connection.execute(
      """
      DELETE FROM idempotency_keys
      WHERE app_id = \(app) AND key = ANY (\(claims.map(\.claim.key)))
        AND created_at < now() - \(fragment: Self.keyLifetime)
      """)
    let inserted = try await connection.query(
      """
      INSERT INTO idempotency_keys (app_id, key, body_hash, message_id, created_at)
      SELECT \(app), u.key, u.body_hash, u.message_id, now()
      FROM unnest(\(claims.map(\.claim.key)), \(claims.map(\.claim.bodyHash)), \(claims.map(\.id)))
        AS u (key, body_hash, message_id)
      ON CONFLICT (app_id, key) DO NOTHING
      RETURNING message_id
      """
    ) { try $0.value(0, as: MessageID.self) }
    return Set(inserted)
  }

  private struct KeptKey: Sendable {
    let bodyHash: [UInt8]
    let message: CreatedMessage
  }

  private func keptKeys(
    _ keys: [String], of app: AppID, on connection: PostgresConnection
  ) async throws -> [String: KeptKey] {
    let rows = try await connection.query(
      """
      SELECT k.key, k.body_hash, m.id, m.send_at > m.created_at, m.created_at
      FROM idempotency_keys k
      JOIN messages m ON m.app_id = k.app_id AND m.id = k.message_id
      WHERE k.app_id = \(app) AND m.app_id = \(app) AND k.key = ANY (\(keys))
      """
    ) { row in
      let isScheduled = try row.optional(3, as: Bool.self) ?? false
      let message = CreatedMessage(
        id: try row.value(2), status: isScheduled ? .scheduled : .queued, createdAt: try row.value(4))
      return (key: try row.value(0, as: String.self), kept: KeptKey(bodyHash: try row.value(1), message: message))
    }
    return Dictionary(rows.map { ($0.key, $0.kept) }) { first, _ in first }
  }

  // MARK: Messages and batches

  private func insert(
    _ messages: [NewMessage], of app: AppID, on connection: PostgresConnection
  ) async throws -> [MessageID: CreatedMessage] {
    guard !messages.isEmpty else { return [:] }
    let drafts = messages.map(\.draft)
    // A message to nobody is finished as it is made.
    let rows = try await connection.query(
      """
      INSERT INTO messages
        (app_id, id, content, lane, name, created_at, send_at, due_at, expires_at, finished_at)
      SELECT \(app), u.id, u.content, u.lane, u.name, now(), u.send_at, greatest(u.send_at, now()),
             greatest(u.send_at, now()) + make_interval(secs => u.ttl), CASE WHEN u.is_empty THEN now() END
      FROM unnest(\(messages.map(\.id)), \(messages.map(\.content)), \(drafts.map(\.lane)), \(drafts.map(\.name)),
                  \(drafts.map(\.sendAt)), \(drafts.map(\.timeToLive.interval)), \(messages.map(\.batches.isEmpty)))
        AS u (id, content, lane, name, send_at, ttl, is_empty)
      RETURNING id, created_at, send_at
      """
    ) { row in
      let createdAt = try row.value(1, as: Timestamp.self)
      let isScheduled = try row.optional(2, as: Timestamp.self).map { $0 > createdAt } ?? false
      return CreatedMessage(
        id: try row.value(0), status: isScheduled ? .scheduled : .queued, createdAt: createdAt)
    }
    let batches = messages.flatMap(\.batches)
    try await insertPlain(batches.filter(\.isPlain), of: app, on: connection)
    for batch in batches where !batch.isPlain { try await insert(batch, of: app, on: connection) }
    try await connection.notifyWorkers()
    return Dictionary(uniqueKeysWithValues: rows.map { ($0.id, $0) })
  }

  private func insertPlain(_ batches: [NewBatch], of app: AppID, on connection: PostgresConnection) async throws {
    guard !batches.isEmpty else { return }
    try await connection.execute(
      """
      INSERT INTO batches
        (app_id, id, message_id, lane, state, due_at, attempts, users, installations, after_id, through_id)
      SELECT \(app), u.id, u.message_id, u.lane, 0, greatest(u.send_at, now()), 0,
             CASE WHEN u.user_id IS NOT NULL THEN ARRAY[u.user_id] END,
             CASE WHEN u.installation_id IS NOT NULL THEN ARRAY[u.installation_id] END,
             u.after_id, u.through_id
      FROM unnest(\(batches.map(\.id)), \(batches.map(\.message)), \(batches.map(\.lane)), \(batches.map(\.sendAt)),
                  \(batches.map { $0.part.users?.first }), \(batches.map { $0.part.installations?.first }),
                  \(batches.map { $0.part.range?.after }), \(batches.map { $0.part.range?.through }))
        AS u (id, message_id, lane, send_at, user_id, installation_id, after_id, through_id)
      """)
  }

  private func insert(_ batch: NewBatch, of app: AppID, on connection: PostgresConnection) async throws {
    try await connection.execute(
      """
      INSERT INTO batches (app_id, id, message_id, lane, state, due_at, attempts, users, installations)
      VALUES (\(app), \(batch.id), \(batch.message), \(batch.lane), 0, greatest(\(batch.sendAt), now()), 0,
              \(batch.part.users), \(batch.part.installations))
      """)
  }
}

extension PostgresConnection {
  /// A hint to every worker, sent with the commit; one constant text, so that any number in a transaction is one.
  func notifyWorkers() async throws {
    _ = try await queryFirst("SELECT pg_notify('bolrach_work', '') IS NULL") { $0.isNull(0) }
  }
}

package import PushCore

internal import Postgres

extension PostgresStore {
  /// The commit does not wait for the disk. What a crash of the server can undo is a claim of which nothing durable came: a
  /// settlement commits with a flush, and a flush takes everything written before along. The fence grows by the clock and not by one,
  /// so that a claim that was undone and a later one never have the same fence.
  package func claim(_ request: ClaimRequest, in scope: TenantScope) async throws -> Claim? {
    try await worker.withTransaction { connection in
      try await connection.execute("SET LOCAL synchronous_commit = off")
      let claimed = try await take(request, of: scope.app, on: connection)
      guard !claimed.isEmpty else { return nil }
      let batches = try await cut(claimed, to: request.sliceSize, of: scope.app, on: connection)
      let messages = try await start(claimed.map(\.message).deduplicated(), of: scope.app, on: connection)
      return Claim(
        credential: try await openCredential(of: scope.app, on: connection), batches: batches, messages: messages)
    }
  }

  /// By the index on due batches, in whose order they are taken.
  private func take(
    _ request: ClaimRequest, of app: AppID, on connection: PostgresConnection
  ) async throws -> [ClaimedBatch] {
    try await connection.query(
      """
      WITH picked AS (
        SELECT b.id
        FROM batches b
        WHERE b.app_id = \(app) AND b.lane = \(request.lane) AND b.state = 0 AND b.due_at <= now()
          AND EXISTS (SELECT FROM apps a WHERE a.app_id = \(app) AND a.held_at IS NULL AND a.deleted_at IS NULL)
        ORDER BY b.due_at
        LIMIT \(request.limit)
        FOR UPDATE OF b SKIP LOCKED)
      UPDATE batches b
      SET state = 1, claims = b.claims + 1,
          fence = greatest(b.fence + 1, (extract(epoch FROM now()) * 1000000)::bigint),
          worker_id = \(request.worker), lease_until = now() + make_interval(secs => \(request.lease.interval))
      FROM picked
      WHERE b.app_id = \(app) AND b.id = picked.id
      RETURNING b.id, b.fence, b.message_id, b.attempts, b.users, b.installations, b.after_id, b.through_id
      """
    ) { row in
      ClaimedBatch(
        lease: BatchLease(batch: try row.value(0), fence: try row.value(1)), message: try row.value(2),
        part: try AudiencePart(row: row, at: 4), attempts: try row.value(3))
    }
  }

  private func cut(
    _ batches: [ClaimedBatch], to size: Int, of app: AppID, on connection: PostgresConnection
  ) async throws -> [ClaimedBatch] {
    var result: [ClaimedBatch] = []
    result.reserveCapacity(batches.count)
    for batch in batches {
      guard let range = batch.part.range,
        let end = try await sliceEnd(of: range, size: size, of: app, on: connection)
      else {
        result.append(batch)
        continue
      }
      try await split(batch, at: end, of: app, on: connection)
      result.append(
        ClaimedBatch(
          lease: batch.lease, message: batch.message, part: .slice(after: range.after, through: end),
          attempts: batch.attempts))
    }
    if result.contains(where: { $0.part.range != nil }) { try await connection.notifyWorkers() }
    return result
  }

  /// The last of the first `size` installations in the range, if there are more. Read from the primary key alone.
  private func sliceEnd(
    of range: (after: InstallationID, through: InstallationID), size: Int, of app: AppID,
    on connection: PostgresConnection
  ) async throws -> InstallationID? {
    let ids = try await connection.query(
      """
      SELECT id
      FROM installations
      WHERE app_id = \(app) AND id > \(range.after) AND id <= \(range.through) AND retired_at IS NULL
      ORDER BY id
      OFFSET \(size - 1)
      LIMIT 2
      """
    ) { try $0.value(0, as: InstallationID.self) }
    return ids.count == 2 ? ids[0] : nil
  }

  /// The claimed batch keeps what lies up to `end`; the rest is queued at once, for whoever is free.
  private func split(
    _ batch: ClaimedBatch, at end: InstallationID, of app: AppID, on connection: PostgresConnection
  ) async throws {
    try await connection.execute(
      """
      INSERT INTO batches (app_id, id, message_id, lane, state, due_at, attempts, after_id, through_id)
      SELECT \(app), \(BatchID.make()), b.message_id, b.lane, 0, b.due_at, b.attempts, \(end), b.through_id
      FROM batches b
      WHERE b.app_id = \(app) AND b.id = \(batch.lease.batch)
      """)
    try await connection.execute(
      "UPDATE batches SET through_id = \(end) WHERE app_id = \(app) AND id = \(batch.lease.batch)")
  }

  private func start(
    _ ids: [MessageID], of app: AppID, on connection: PostgresConnection
  ) async throws -> [MessageID: Message] {
    try await connection.execute(
      "UPDATE messages SET started_at = now() WHERE app_id = \(app) AND id = ANY (\(ids)) AND started_at IS NULL")
    let messages = try await connection.query(
      """
      SELECT id, content, lane, name, created_at, due_at, expires_at
      FROM messages
      WHERE app_id = \(app) AND id = ANY (\(ids))
      """
    ) { row in
      Message(
        id: try row.value(0), app: app, content: try ContentCodec.decode(try row.value(1)), lane: try row.value(2),
        name: try row.optional(3), createdAt: try row.value(4), dueAt: try row.value(5), expiresAt: try row.value(6))
    }
    return Dictionary(uniqueKeysWithValues: messages.map { ($0.id, $0) })
  }
}

extension AudiencePart {
  /// From the columns users, installations, after_id and through_id.
  init(row: borrowing RowReader, at column: Int) throws {
    if !row.isNull(column) {
      self = .users(try row.array(column))
    } else if !row.isNull(column + 1) {
      self = .installations(try row.array(column + 1))
    } else {
      self = .slice(after: try row.value(column + 2), through: try row.value(column + 3))
    }
  }
}

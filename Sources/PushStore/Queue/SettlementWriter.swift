internal import Postgres
internal import PushCore

/// Writes one settlement in one transaction of one app.
///
/// A value made for one call. The order of its steps is the order of the locks: batches, installations, messages, tallies, each by
/// its key.
struct SettlementWriter: Sendable {
  let app: AppID
  let settlement: Settlement
  let deliveryMode: DeliveryMode

  /// How deliveries are written.
  enum DeliveryMode: Sendable, Hashable {
    /// COPY for slices nobody has worked on before: three times as fast, but one duplicate refuses all.
    case copyFresh
    /// Rows that are there already stay as they are and are not counted again.
    case skipDuplicates
  }

  /// A claimed batch as it stands, locked.
  struct Held: Sendable {
    let message: MessageID
    let messageDueAt: Timestamp
    let isFreshSlice: Bool
    let isMissingSettled: Bool
  }

  /// Returns the batches whose lease is lost; of those nothing was written.
  func write(on connection: PostgresConnection) async throws -> Set<BatchID> {
    let leases = self.leases
    let held = try await lock(leases, on: connection)
    var tallies = Tallies()
    try await writeDeliveries(held, &tallies, on: connection)
    try await countMissing(held, &tallies, on: connection)
    try await queueRetries(held, on: connection)
    try await retireTokens(held, on: connection)
    if settlement.credentialAccepted { try await verifyCredential(on: connection) }
    try await finish(held, on: connection)
    try await tallies.write(of: app, on: connection)
    return Set(leases.filter { held[$0] == nil }.map(\.batch))
  }

  private var leases: Set<BatchLease> {
    var leases = Set(settlement.finished)
    leases.formUnion(settlement.deliveries.map(\.lease))
    leases.formUnion(settlement.retries.map(\.lease))
    leases.formUnion(settlement.retirements.map(\.lease))
    leases.formUnion(settlement.missing.map(\.lease))
    return leases
  }

  /// The fence: whoever claims, rescues or settles one of these batches waits until we commit, and finds it changed.
  private func lock(
    _ leases: Set<BatchLease>, on connection: PostgresConnection
  ) async throws -> [BatchLease: Held] {
    guard !leases.isEmpty else { return [:] }
    let rows = try await connection.query(
      """
      SELECT b.id, b.fence, b.message_id, m.due_at, b.through_id IS NOT NULL AND b.claims = 1, b.missing_settled
      FROM batches b
      JOIN messages m ON m.app_id = b.app_id AND m.id = b.message_id
      WHERE b.app_id = \(app) AND m.app_id = \(app) AND b.id = ANY (\(leases.map(\.batch))) AND b.state = 1
      ORDER BY b.id
      FOR UPDATE OF b
      """
    ) { row in
      (
        lease: BatchLease(batch: try row.value(0), fence: try row.value(1)),
        held: Held(
          message: try row.value(2), messageDueAt: try row.value(3), isFreshSlice: try row.value(4),
          isMissingSettled: try row.value(5))
      )
    }
    return Dictionary(uniqueKeysWithValues: rows.filter { leases.contains($0.lease) }.map { ($0.lease, $0.held) })
  }

  // MARK: Deliveries

  private func writeDeliveries(
    _ held: [BatchLease: Held], _ tallies: inout Tallies, on connection: PostgresConnection
  ) async throws {
    var copied: [SettledDelivery] = []
    var inserted: [SettledDelivery] = []
    for delivery in settlement.deliveries {
      guard let batch = held[delivery.lease], batch.message == delivery.message else { continue }
      if deliveryMode == .copyFresh && batch.isFreshSlice { copied.append(delivery) } else { inserted.append(delivery) }
    }
    if copied.count < Self.smallestCopy {
      inserted += copied
      copied = []
    }
    let rows = DeliveryRows(app: app)
    if !copied.isEmpty { try await rows.copy(copied, on: connection) }
    for delivery in copied { tallies.add(delivery, dueAt: held[delivery.lease]?.messageDueAt) }
    guard !inserted.isEmpty else { return }
    for delivery in try await rows.insert(inserted, on: connection) {
      tallies.add(delivery, dueAt: held[delivery.lease]?.messageDueAt)
    }
  }

  /// More than a slice has, so that slices are inserted and not copied for now: a copy that meets a row that is there already falls back to
  /// inserting, and that way's counts are not exact yet. Inserting reaches 183 000 rows a second, copying twice that.
  private static let smallestCopy = 100_000

  /// Counted once for a batch, whoever counted.
  private func countMissing(
    _ held: [BatchLease: Held], _ tallies: inout Tallies, on connection: PostgresConnection
  ) async throws {
    let missing = settlement.missing.filter { held[$0.lease]?.isMissingSettled == false && $0.count > 0 }
    guard !missing.isEmpty else { return }
    for entry in missing {
      guard let message = held[entry.lease]?.message else { continue }
      tallies.add(Int64(entry.count), .suppressed, entry.reason, to: message)
    }
    try await connection.execute(
      """
      UPDATE batches
      SET missing_settled = true
      WHERE app_id = \(app) AND id = ANY (\(missing.map(\.lease.batch)))
      """)
  }

  // MARK: What goes on

  private func queueRetries(_ held: [BatchLease: Held], on connection: PostgresConnection) async throws {
    for retry in settlement.retries {
      guard let batch = held[retry.lease], batch.message == retry.message else { continue }
      for installations in retry.installations.deduplicated().chunks(of: NewBatch.maximumList) {
        try await connection.execute(
          """
          INSERT INTO batches (app_id, id, message_id, lane, state, due_at, attempts, installations)
          VALUES (\(app), \(BatchID.make()), \(retry.message), \(retry.lane), 0,
                  now() + make_interval(secs => \(retry.delay.interval)), \(retry.attempts), \(installations))
          """)
      }
    }
  }

  /// Only the token that was tried, and only if the device has not confirmed it since.
  private func retireTokens(_ held: [BatchLease: Held], on connection: PostgresConnection) async throws {
    let retirements = settlement.retirements.filter { held[$0.lease] != nil }
      .sorted { $0.installation < $1.installation }
    guard !retirements.isEmpty else { return }
    // Locked in the order of registrations; the update itself may take them in any.
    _ = try await connection.query(
      """
      SELECT id
      FROM installations
      WHERE app_id = \(app) AND id = ANY (\(retirements.map(\.installation)))
      ORDER BY id
      FOR NO KEY UPDATE
      """
    ) { try $0.value(0, as: InstallationID.self) }
    try await connection.execute(
      """
      UPDATE installations i
      SET retired_at = now(), retired_reason = u.reason
      FROM unnest(\(retirements.map(\.installation)), \(retirements.map(\.token)), \(retirements.map(\.deadSince)),
                  \(retirements.map(\.reason)))
        AS u (id, token, dead_since, reason)
      WHERE i.app_id = \(app) AND i.id = u.id AND i.token = u.token AND i.registered_at <= u.dead_since
        AND i.retired_at IS NULL
      """)
  }

  private func verifyCredential(on connection: PostgresConnection) async throws {
    try await connection.execute(
      """
      UPDATE apns_credentials
      SET status = \(CredentialStatus.verified), problem = NULL, checked_at = now()
      WHERE app_id = \(app) AND status = \(CredentialStatus.unverified)
      """)
  }

  // MARK: The end

  private func finish(_ held: [BatchLease: Held], on connection: PostgresConnection) async throws {
    let finished = settlement.finished.filter { held[$0] != nil }
    guard !finished.isEmpty else { return }
    try await connection.execute(
      "DELETE FROM batches WHERE app_id = \(app) AND id = ANY (\(finished.map(\.batch)))")
    let messages = finished.compactMap { held[$0]?.message }.deduplicated()
    // Whoever finishes another of its batches at this moment waits here, and then looks with a snapshot that has our deletion (read
    // committed: each statement has its own). So the later of two last batches always sees that it is the last.
    _ = try await connection.query(
      """
      SELECT id
      FROM messages
      WHERE app_id = \(app) AND id = ANY (\(messages)) AND finished_at IS NULL
      ORDER BY id
      FOR NO KEY UPDATE
      """
    ) { try $0.value(0, as: MessageID.self) }
    try await connection.execute(
      """
      UPDATE messages m
      SET finished_at = now()
      WHERE m.app_id = \(app) AND m.id = ANY (\(messages)) AND m.finished_at IS NULL
        AND NOT EXISTS (SELECT FROM batches b WHERE b.app_id = \(app) AND b.message_id = m.id)
      """)
  }
}

extension Tallies {
  fileprivate mutating func add(_ delivery: SettledDelivery, dueAt: Timestamp?) {
    add(1, delivery.state, delivery.reason, to: delivery.message)
    guard delivery.state == .accepted, let dueAt else { return }
    addLatency(from: dueAt, to: delivery.settledAt, of: delivery.message)
  }
}

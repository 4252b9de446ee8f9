package import PushCore

internal import Postgres

extension PostgresStore: DeliveryQueue {
  package func wakeUps() async -> AsyncStream<Void> { await wakeUpSource.stream() }

  package func settle(_ settlement: Settlement, in scope: TenantScope) async throws -> Set<BatchID> {
    do {
      return try await settle(settlement, in: scope, by: .copyFresh)
    } catch let error as PostgresError where error.isUniqueViolation {
      // A user moved between devices while the message was sent, or a batch was reported twice: rare, and exact all the same.
      return try await settle(settlement, in: scope, by: .skipDuplicates)
    }
  }

  private func settle(
    _ settlement: Settlement, in scope: TenantScope, by mode: SettlementWriter.DeliveryMode
  ) async throws -> Set<BatchID> {
    let writer = SettlementWriter(app: scope.app, settlement: settlement, deliveryMode: mode)
    return try await worker.withTransaction { try await writer.write(on: $0) }
  }

  package func extendLeases(
    of batches: [BatchLease], by lease: Seconds, in scope: TenantScope
  ) async throws -> Set<BatchID> {
    let kept = try await worker.query(
      """
      UPDATE batches b
      SET lease_until = now() + make_interval(secs => \(lease.interval))
      FROM unnest(\(batches.map(\.batch)), \(batches.map(\.fence))) AS u (id, fence)
      WHERE b.app_id = \(scope.app) AND b.id = u.id AND b.fence = u.fence AND b.state = 1
      RETURNING b.id
      """
    ) { try $0.value(0, as: BatchID.self) }
    return Set(batches.map(\.batch)).subtracting(kept)
  }

  package func release(_ batches: [BatchLease], after delay: Seconds, in scope: TenantScope) async throws {
    try await worker.withTransaction { connection in
      try await connection.execute(
        """
        UPDATE batches b
        SET state = 0, worker_id = NULL, lease_until = NULL,
            due_at = now() + make_interval(secs => \(delay.interval))
        FROM unnest(\(batches.map(\.batch)), \(batches.map(\.fence))) AS u (id, fence)
        WHERE b.app_id = \(scope.app) AND b.id = u.id AND b.fence = u.fence AND b.state = 1
        """)
      try await connection.notifyWorkers()
    }
  }

  /// App by app; the lease is judged inside the update, where a settlement or a heartbeat that comes first is seen.
  package func rescueExpired(as authority: WorkerAuthority) async throws -> Int {
    var rescued = 0
    for app in try await appsWithExpiredLeases() {
      rescued += try await worker.withTransaction { connection in
        let count = try await connection.execute(
          """
          UPDATE batches
          SET state = 0, worker_id = NULL, lease_until = NULL
          WHERE app_id = \(app) AND state = 1 AND lease_until < now()
          """)
        if count > 0 { try await connection.notifyWorkers() }
        return count
      }
    }
    return rescued
  }

  package func hold(_ cause: HoldCause, reason: Reason, in scope: TenantScope) async throws {
    try await worker.withTransaction { connection in
      try await connection.execute(
        """
        UPDATE apps
        SET held_at = coalesce(held_at, now()), hold_cause = \(cause.code), hold_reason = \(reason)
        WHERE app_id = \(scope.app)
        """)
      try await connection.execute(
        """
        UPDATE apns_credentials
        SET status = \(CredentialStatus.paused), problem = \(reason), checked_at = now()
        WHERE app_id = \(scope.app)
        """)
    }
  }
}

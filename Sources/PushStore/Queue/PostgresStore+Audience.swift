package import PushCore

internal import Postgres

extension PostgresStore {
  /// A slice is one read of the primary key's own leaves; all lists of a claim together are one statement more. Whoever is settled
  /// already is left out where that can be: in a retry, and in a batch that was claimed before.
  package func audience(of batches: [ClaimedBatch], in scope: TenantScope) async throws -> Audience {
    let facts = try await facts(of: batches, in: scope)
    var parts = AudienceParts(batches, facts)
    var members: [AudienceMember] = []
    for slice in parts.slices { members += try await self.members(of: slice, in: scope) }
    let users = try await resolve(users: parts.users, in: scope)
    let installations = try await resolve(installations: parts.installations, in: scope)
    members += parts.take(users + installations)
    return Audience(members: members, missing: parts.missing)
  }

  /// What a batch's reader does not know of it. A batch whose lease is gone has none, and gets no audience.
  private func facts(of batches: [ClaimedBatch], in scope: TenantScope) async throws -> [BatchLease: BatchFacts] {
    let rows = try await worker.query(
      """
      SELECT b.id, b.fence, b.claims > 1 OR b.attempts > 0, b.missing_settled, m.created_at
      FROM batches b
      JOIN messages m ON m.app_id = b.app_id AND m.id = b.message_id
      WHERE b.app_id = \(scope.app) AND m.app_id = \(scope.app) AND b.state = 1
        AND b.id = ANY (\(batches.map(\.lease.batch)))
      """
    ) { row in
      (
        lease: BatchLease(batch: try row.value(0), fence: try row.value(1)),
        facts: BatchFacts(
          mayBeSettled: try row.value(2), isMissingSettled: try row.value(3), messageCreatedAt: try row.value(4))
      )
    }
    return Dictionary(uniqueKeysWithValues: rows.map { ($0.lease, $0.facts) })
  }

  private static let columns: Query = """
    i.id, i.token, i.environment, i.permission, i.locale, i.user_id, i.registered_at
    """

  /// At most what the slice was cut to and who has been revived since. Who registered after the message was made is not meant.
  private func members(of slice: AudienceParts.Slice, in scope: TenantScope) async throws -> [AudienceMember] {
    let unsettled: Query =
      slice.mayBeSettled
      ? """
      AND NOT EXISTS (SELECT FROM deliveries d
                      WHERE d.app_id = \(scope.app) AND d.message_id = \(slice.message) AND d.installation_id = i.id)
      """ : ""
    return try await worker.query(
      """
      SELECT \(fragment: Self.columns)
      FROM installations i
      WHERE i.app_id = \(scope.app) AND i.id > \(slice.after) AND i.id <= \(slice.through)
        AND i.retired_at IS NULL AND i.created_at <= \(slice.createdUntil) \(fragment: unsettled)
      ORDER BY i.id
      """
    ) { row in try AudienceMember(row: row, batch: slice.batch, at: 0, isRetired: false) }
  }

  /// Devices that one user id may have: a bound for memory against an app that signs everybody in as the same user.
  private static let maximumDevices = 1000

  /// By the index on users: whoever is signed in now, wherever.
  private func resolve(users: AudienceParts.List<String>, in scope: TenantScope) async throws -> [ResolvedRow] {
    guard !users.values.isEmpty else { return [] }
    return try await worker.query(
      """
      SELECT u.batch, d.installation_id IS NOT NULL, i.retired_at IS NOT NULL, \(fragment: Self.columns)
      FROM unnest(\(users.batches), \(users.values), \(users.messages), \(users.mayBeSettled))
        AS u (batch, user_id, message_id, may_be_settled)
      LEFT JOIN LATERAL (
        SELECT *
        FROM installations
        WHERE app_id = \(scope.app) AND user_id = u.user_id AND user_id IS NOT NULL AND retired_at IS NULL
        ORDER BY id
        LIMIT \(Self.maximumDevices)) i ON true
      LEFT JOIN deliveries d
        ON u.may_be_settled AND d.app_id = \(scope.app) AND d.message_id = u.message_id AND d.installation_id = i.id
      """
    ) { try ResolvedRow(row: $0) }
  }

  /// By the primary key, retired ones too: who was named is told why nothing came.
  private func resolve(
    installations: AudienceParts.List<InstallationID>, in scope: TenantScope
  ) async throws -> [ResolvedRow] {
    guard !installations.values.isEmpty else { return [] }
    return try await worker.query(
      """
      SELECT u.batch, d.installation_id IS NOT NULL, i.retired_at IS NOT NULL, \(fragment: Self.columns)
      FROM unnest(\(installations.batches), \(installations.values), \(installations.messages),
                  \(installations.mayBeSettled))
        AS u (batch, installation_id, message_id, may_be_settled)
      LEFT JOIN installations i ON i.app_id = \(scope.app) AND i.id = u.installation_id
      LEFT JOIN deliveries d
        ON u.may_be_settled AND d.app_id = \(scope.app) AND d.message_id = u.message_id AND d.installation_id = i.id
      """
    ) { try ResolvedRow(row: $0) }
  }
}

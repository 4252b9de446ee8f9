package import PushCore

internal import Crypto
internal import Postgres

extension PostgresStore {
  /// Replaces the credential as a whole, ends a hold and wakes the workers; what waits in the queue goes on with the new one.
  package func setCredential(
    _ credential: APNsCredential, in scope: TenantScope
  ) async throws -> APNsCredentialInfo {
    let sealed = try sealer.seal(credential.key.pem, context: .credential(of: scope.app))
    return try await api.withTransaction { connection in
      let resumed = try await connection.execute(
        """
        UPDATE apps
        SET held_at = NULL, hold_cause = NULL, hold_reason = NULL
        WHERE app_id = \(scope.app) AND deleted_at IS NULL
        """)
      guard resumed > 0 else { throw StoreRefusal.notFound }
      let info = try await connection.queryFirst(
        """
        INSERT INTO apns_credentials
          (app_id, team_id, key_id, bundle_id, fingerprint, sealed_p8, status, problem, checked_at, set_at)
        VALUES (\(scope.app), \(credential.teamID), \(credential.keyID), \(credential.bundleID),
                \(credential.fingerprint), \(sealed), \(CredentialStatus.unverified), NULL, NULL, now())
        ON CONFLICT (app_id) DO UPDATE
        SET team_id = excluded.team_id, key_id = excluded.key_id, bundle_id = excluded.bundle_id,
            fingerprint = excluded.fingerprint, sealed_p8 = excluded.sealed_p8, status = excluded.status,
            problem = excluded.problem, checked_at = excluded.checked_at, set_at = excluded.set_at
        RETURNING \(fragment: APNsCredentialInfo.columns)
        """
      ) { try APNsCredentialInfo(row: $0) }
      try await connection.notifyWorkers()
      return try info.found()
    }
  }

  package func credential(in scope: TenantScope) async throws -> APNsCredentialInfo {
    try await api.queryFirst(
      "SELECT \(fragment: APNsCredentialInfo.columns) FROM apns_credentials WHERE app_id = \(scope.app)"
    ) { try APNsCredentialInfo(row: $0) }.found()
  }

  package func deleteCredential(in scope: TenantScope) async throws {
    let deleted = try await api.execute("DELETE FROM apns_credentials WHERE app_id = \(scope.app)")
    guard deleted > 0 else { throw StoreRefusal.notFound }
  }

  /// The app's credential, opened for use. Not cached: the row is read with each claim anyway and opening it takes microseconds, so
  /// that a deleted key is never used after the claim that saw it.
  func openCredential(of app: AppID, on connection: PostgresConnection) async throws -> APNsCredential? {
    let row = try await connection.queryFirst(
      """
      SELECT team_id, key_id, bundle_id, fingerprint, sealed_p8
      FROM apns_credentials
      WHERE app_id = \(app)
      """
    ) { row in
      (
        teamID: try row.value(0, as: String.self), keyID: try row.value(1, as: String.self),
        bundleID: try row.value(2, as: String.self), fingerprint: try row.value(3, as: String.self),
        sealed: try row.value(4, as: [UInt8].self)
      )
    }
    guard let row else { return nil }
    return APNsCredential(
      teamID: row.teamID, keyID: row.keyID, bundleID: row.bundleID,
      key: SigningKey(pem: try sealer.open(row.sealed, context: .credential(of: app))), fingerprint: row.fingerprint)
  }
}

package import PushCore

internal import Crypto
internal import Postgres

extension PostgresStore: ProviderTokenStore {
  /// Apple refuses a key whose tokens change faster than this.
  private static let shortestLife = Seconds(20 * 60)

  /// Read without a lock first, as nearly always it is fresh. Only who finds it old locks its row, looks again, and mints; the others
  /// wait for that row and find the new one.
  package func token(
    for name: ProviderTokenName, maximumAge: Seconds, mint: @escaping @Sendable (Timestamp) throws -> [UInt8]
  ) async throws -> ProviderToken {
    if let kept = try await keptToken(name, on: worker), kept.serves(name, maximumAge) {
      return try open(kept, name)
    }
    return try await worker.withTransaction { connection in
      try await connection.execute(
        """
        INSERT INTO provider_tokens (environment, team_id, key_id, fingerprint, sealed_token, issued_at)
        VALUES (\(name.environment), \(name.teamID), \(name.keyID), '', NULL, now())
        ON CONFLICT (environment, team_id, key_id) DO NOTHING
        """)
      let kept = try await self.lockToken(name, on: connection).found()
      guard !kept.serves(name, max(maximumAge, Self.shortestLife)) else { return try self.open(kept, name) }
      let text = try mint(kept.now)
      try await self.keep(text, issuedAt: kept.now, name, on: connection)
      return ProviderToken(text: text, issuedAt: kept.now, age: Seconds(0))
    }
  }

  private func keptToken(_ name: ProviderTokenName, on pool: ConnectionPool) async throws -> KeptToken? {
    try await pool.queryFirst(
      """
      SELECT fingerprint, sealed_token, issued_at, now()
      FROM provider_tokens
      WHERE environment = \(name.environment) AND team_id = \(name.teamID) AND key_id = \(name.keyID)
      """
    ) { try KeptToken(row: $0) }
  }

  private func lockToken(_ name: ProviderTokenName, on connection: PostgresConnection) async throws -> KeptToken? {
    try await connection.queryFirst(
      """
      SELECT fingerprint, sealed_token, issued_at, now()
      FROM provider_tokens
      WHERE environment = \(name.environment) AND team_id = \(name.teamID) AND key_id = \(name.keyID)
      FOR UPDATE
      """
    ) { try KeptToken(row: $0) }
  }

  private func keep(
    _ text: [UInt8], issuedAt: Timestamp, _ name: ProviderTokenName, on connection: PostgresConnection
  ) async throws {
    let sealed = try sealer.seal(text, context: .providerToken(name))
    try await connection.execute(
      """
      UPDATE provider_tokens
      SET fingerprint = \(name.fingerprint), sealed_token = \(sealed), issued_at = \(issuedAt)
      WHERE environment = \(name.environment) AND team_id = \(name.teamID) AND key_id = \(name.keyID)
      """)
  }

  private func open(_ kept: KeptToken, _ name: ProviderTokenName) throws -> ProviderToken {
    let text = try sealer.open(kept.sealed ?? [], context: .providerToken(name))
    return ProviderToken(text: text, issuedAt: kept.issuedAt, age: kept.age)
  }
}

/// The row of a key with Apple, and what time it was when it was read.
private struct KeptToken: Sendable {
  let fingerprint: String
  let sealed: [UInt8]?
  let issuedAt: Timestamp
  let now: Timestamp

  init(row: borrowing RowReader) throws {
    fingerprint = try row.value(0)
    sealed = try row.optional(1)
    issuedAt = try row.value(2)
    now = try row.value(3)
  }

  /// Somebody's transaction may have begun after ours and still have been first at the row.
  var age: Seconds { Seconds(max(0, (now.microseconds - issuedAt.microseconds) / 1_000_000)) }

  func serves(_ name: ProviderTokenName, _ maximumAge: Seconds) -> Bool {
    sealed != nil && fingerprint == name.fingerprint && age <= maximumAge
  }
}

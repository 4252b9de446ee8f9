internal import Postgres
internal import PushCore

/// Commits a group of one app's device reports: locks and reads what they touch, plays them on the image of it, and writes the
/// difference. Four statements, however many reports.
///
/// A value, owned by the gatherer. Rows are locked in the order of their ids, so that groups of several processes wait for each
/// other instead of deadlocking; what remains (two groups that insert each other's new devices and tokens) is tried again.
struct RegistryWriter: Sendable {
  let pool: ConnectionPool

  typealias Answer = Result<RegistrationResult, any Error>

  /// Each try begins after somebody else's commit, so that a few are enough.
  private static let maximumTries = 12

  func commit(_ reports: [DeviceReport], of app: AppID) async throws -> [Answer] {
    for attempt in 1...Self.maximumTries {
      do {
        return try await pool.withTransaction { try await write(reports, of: app, on: $0) }
      } catch let error as PostgresError where error.isUniqueViolation {
        // Another process gave one of the tokens to another installation since we looked.
      } catch let error as StoreError where error.code == .contended {
        // Another process made one of the installations since we looked.
      }
      try await Task.sleep(for: .milliseconds(attempt) * Double.random(in: 0...2))
    }
    throw StoreError(.contended)
  }

  private func write(
    _ reports: [DeviceReport], of app: AppID, on connection: PostgresConnection
  ) async throws -> [Answer] {
    var image = RegistryImage(try await lock(ReportedKeys(reports), of: app, on: connection))
    let outcomes = reports.map { image.apply($0, newID: InstallationID.make()) }
    let changed = image.entries.values.filter(\.isChanged)
    try await releaseTokens(of: changed, of: app, on: connection)
    var written = try await update(changed.filter { $0.original != nil }, of: app, on: connection)
    written += try await insert(changed.filter { $0.original == nil }, of: app, on: connection)
    let stored = Dictionary(uniqueKeysWithValues: written.map { ($0.id, $0) })
    return outcomes.map { outcome in
      outcome.mapError { $0 }.flatMap { outcome in
        guard let installation = stored[outcome.id] ?? image.entries[outcome.id]?.installation else {
          return .failure(StoreError(.contended))
        }
        return .success(RegistrationResult(installation: installation, isNew: outcome.isNew))
      }
    }
  }

  /// By the keys on (app, device), (app, id) and (app, environment, token).
  private func lock(
    _ keys: ReportedKeys, of app: AppID, on connection: PostgresConnection
  ) async throws -> [Installation] {
    let tokens = Array(keys.tokens)
    return try await connection.query(
      """
      SELECT \(fragment: Installation.columns)
      FROM installations i
      WHERE i.app_id = \(app) AND i.id = ANY (ARRAY(
        SELECT d.id
        FROM installations d
        WHERE d.app_id = \(app) AND d.device_id = ANY (\(Array(keys.deviceIDs)))
        UNION
        SELECT unnest(\(Array(keys.installations)))
        UNION
        SELECT t.id
        FROM unnest(\(tokens.map(\.environment)), \(tokens.map(\.token))) AS u (environment, token)
        JOIN installations t ON t.app_id = \(app) AND t.environment = u.environment AND t.token = u.token
        WHERE t.retired_at IS NULL AND t.token IS NOT NULL))
      ORDER BY i.id
      FOR UPDATE
      """
    ) { try Installation(row: $0) }
  }

  /// The index on tokens is checked row by row: before anyone takes a token over, it must have been let go.
  private func releaseTokens(
    of entries: [RegistryImage.Entry], of app: AppID, on connection: PostgresConnection
  ) async throws {
    let taken = Set(entries.compactMap(\.installation.livePlace))
    let released = entries.filter { entry in
      guard let before = entry.original?.livePlace, before != entry.installation.livePlace else { return false }
      return taken.contains(before)
    }
    guard !released.isEmpty else { return }
    try await connection.execute(
      """
      UPDATE installations
      SET token = NULL
      WHERE app_id = \(app) AND id = ANY (\(released.map(\.installation.id)))
      """)
  }

  private func update(
    _ entries: [RegistryImage.Entry], of app: AppID, on connection: PostgresConnection
  ) async throws -> [Installation] {
    guard !entries.isEmpty else { return [] }
    return try await connection.query(
      """
      UPDATE installations i
      SET anonymous_id = u.anonymous_id, platform = u.platform, token = u.token, environment = u.environment,
          permission = u.permission, user_id = u.user_id, identity_epoch = u.identity_epoch, locale = u.locale,
          timezone = u.timezone, app_version = u.app_version, os_version = u.os_version, sdk_version = u.sdk_version,
          device_model = u.device_model, tags = u.tags,
          registered_at = CASE WHEN u.is_confirmed THEN now() ELSE i.registered_at END,
          retired_at = CASE WHEN u.retired_reason IS NULL THEN NULL ELSE coalesce(i.retired_at, now()) END,
          retired_reason = u.retired_reason
      FROM \(fragment: InstallationColumns(entries).rows)
      WHERE i.app_id = \(app) AND i.id = u.id
      RETURNING \(fragment: Installation.columns)
      """
    ) { try Installation(row: $0) }
  }

  private func insert(
    _ entries: [RegistryImage.Entry], of app: AppID, on connection: PostgresConnection
  ) async throws -> [Installation] {
    guard !entries.isEmpty else { return [] }
    let ordered = entries.sorted { $0.installation.registration.deviceID < $1.installation.registration.deviceID }
    let inserted = try await connection.query(
      """
      INSERT INTO installations AS i
        (app_id, \(fragment: InstallationColumns.names), retired_reason, created_at, registered_at, retired_at)
      SELECT \(app), \(fragment: InstallationColumns.names), u.retired_reason, now(), now(),
             CASE WHEN u.retired_reason IS NULL THEN NULL ELSE now() END
      FROM \(fragment: InstallationColumns(ordered).rows)
      ON CONFLICT (app_id, device_id) DO NOTHING
      RETURNING \(fragment: Installation.columns)
      """
    ) { try Installation(row: $0) }
    guard inserted.count == entries.count else { throw StoreError(.contended) }
    return inserted
  }
}

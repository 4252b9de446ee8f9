package import PushCore

internal import Postgres

extension PostgresStore: InstallationStore {
  package func register(
    _ registration: Registration, identity: IdentityClaim, knownEpoch: Int32?, in scope: TenantScope
  ) async throws -> RegistrationResult {
    try await reports.submit(.register(registration, identity, knownEpoch: knownEpoch), for: scope.app)
  }

  package func update(_ change: InstallationChange, as device: DeviceScope) async throws -> Installation {
    try await reports.submit(.update(change, device.installation), for: device.tenant.app).installation
  }

  package func setUser(
    _ userID: String?, knownEpoch: Int32?, as device: DeviceScope
  ) async throws -> Installation {
    let report = DeviceReport.setUser(userID, knownEpoch: knownEpoch, device.installation)
    return try await reports.submit(report, for: device.tenant.app).installation
  }

  package func delete(as device: DeviceScope) async throws {
    _ = try await reports.submit(.delete(device.installation), for: device.tenant.app)
  }

  package func installation(_ id: InstallationID, in scope: TenantScope) async throws -> Installation {
    try await api.queryFirst(
      """
      SELECT \(fragment: Installation.columns)
      FROM installations i
      WHERE i.app_id = \(scope.app) AND i.id = \(id)
      """
    ) { try Installation(row: $0) }.found()
  }

  /// All of an app's by its key, retired ones too; a user's by the index on users, which has the live ones.
  package func installations(
    userID: String?, _ page: PageRequest, in scope: TenantScope
  ) async throws -> Page<Installation> {
    let after = InstallationID(page.after?.value ?? 0)
    let filter: Query = userID.map { "AND i.user_id = \($0) AND i.retired_at IS NULL" } ?? ""
    let installations = try await api.query(
      """
      SELECT \(fragment: Installation.columns)
      FROM installations i
      WHERE i.app_id = \(scope.app) AND i.id > \(after) \(fragment: filter)
      ORDER BY i.id
      LIMIT \(page.limit + 1)
      """
    ) { try Installation(row: $0) }
    return Page(installations, limit: page.limit) { $0.id.value }
  }
}

package import PushCore

internal import Postgres

extension PostgresStore {
  /// By the primary key, so that a page costs the same however many came before; a rare state in a large message is read past.
  package func deliveries(
    of message: MessageID, state: DeliveryState?, userID: String?, _ page: PageRequest, in scope: TenantScope
  ) async throws -> Page<DeliveryReport> {
    try await requireMessage(message, in: scope)
    let after = InstallationID(page.after?.value ?? 0)
    let byState: Query = state.map { "AND d.state = \($0)" } ?? ""
    let byUser: Query = userID.map { "AND d.user_id = \($0)" } ?? ""
    let rows = try await api.query(
      """
      SELECT d.installation_id, d.user_id, d.state, d.reason, d.attempts, d.apns_id, d.settled_at
      FROM deliveries d
      WHERE d.app_id = \(scope.app) AND d.message_id = \(message) AND d.installation_id > \(after)
        \(fragment: byState) \(fragment: byUser)
      ORDER BY d.installation_id
      LIMIT \(page.limit + 1)
      """
    ) { row in
      DeliveryReport(
        message: message, installation: try row.value(0), userID: try row.optional(1), state: try row.value(2),
        reason: try row.optional(3), attempts: try row.value(4),
        apnsID: try row.optional(5, as: StoredUUID.self)?.value,
        settledAt: try row.value(6), receipts: [:])
    }
    let receipts = try await receipts(of: message, from: rows.map(\.installation), in: scope)
    return Page(rows.map { $0.with(receipts[$0.installation] ?? [:]) }, limit: page.limit) { $0.installation.value }
  }

  private func requireMessage(_ message: MessageID, in scope: TenantScope) async throws {
    _ = try await api.queryFirst("SELECT id FROM messages WHERE app_id = \(scope.app) AND id = \(message)") {
      try $0.value(0, as: MessageID.self)
    }.found()
  }

  private func receipts(
    of message: MessageID, from installations: [InstallationID], in scope: TenantScope
  ) async throws -> [InstallationID: [ReceiptKind: Timestamp]] {
    guard !installations.isEmpty else { return [:] }
    let rows = try await api.query(
      """
      SELECT installation_id, kind, occurred_at
      FROM receipts
      WHERE app_id = \(scope.app) AND message_id = \(message) AND installation_id = ANY (\(installations))
      """
    ) { row in
      (
        installation: try row.value(0, as: InstallationID.self), kind: try row.value(1, as: ReceiptKind.self),
        at: try row.value(2, as: Timestamp.self)
      )
    }
    return rows.reduce(into: [:]) { $0[$1.installation, default: [:]][$1.kind] = $1.at }
  }
}

extension DeliveryReport {
  fileprivate func with(_ receipts: [ReceiptKind: Timestamp]) -> DeliveryReport {
    DeliveryReport(
      message: message, installation: installation, userID: userID, state: state, reason: reason, attempts: attempts,
      apnsID: apnsID, settledAt: settledAt, receipts: receipts)
  }
}

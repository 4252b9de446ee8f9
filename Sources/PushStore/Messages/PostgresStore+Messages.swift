package import PushCore

internal import Postgres

extension PostgresStore: MessageStore {
  package func create(
    _ draft: MessageDraft, idempotency: IdempotencyClaim?, in scope: TenantScope
  ) async throws -> MessageCreation {
    try await creations.submit(NewMessage(draft, idempotency: idempotency), for: scope.app)
  }

  package func message(_ id: MessageID, in scope: TenantScope) async throws -> MessageReport {
    let reports = try await api.query(
      """
      \(fragment: MessageReport.selection)
      WHERE m.app_id = \(scope.app) AND a.app_id = \(scope.app) AND m.id = \(id)
      """
    ) { try MessageReport(row: $0) }
    return try await counted(reports, in: scope).first.found()
  }

  /// By the primary key, backwards.
  package func messages(_ page: PageRequest, in scope: TenantScope) async throws -> Page<MessageReport> {
    let before = MessageID(page.after?.value ?? .max)
    let reports = try await api.query(
      """
      \(fragment: MessageReport.selection)
      WHERE m.app_id = \(scope.app) AND a.app_id = \(scope.app) AND m.id < \(before)
      ORDER BY m.id DESC
      LIMIT \(page.limit + 1)
      """
    ) { try MessageReport(row: $0) }
    return Page(try await counted(reports, in: scope), limit: page.limit) { $0.id.value }
  }

  package func record(_ receipts: [Receipt], as device: DeviceScope) async throws {
    try await withThrowingTaskGroup(of: Void.self) { group in
      for receipt in receipts {
        // Whatever a receipt says of itself: it is this device's.
        let own = Receipt(
          message: receipt.message, installation: device.installation, kind: receipt.kind,
          occurredAt: receipt.occurredAt, action: receipt.action)
        group.addTask { try await self.receipts.submit(own, for: device.tenant.app) }
      }
      try await group.waitForAll()
    }
  }

  private func counted(_ reports: [MessageReport], in scope: TenantScope) async throws -> [MessageReport] {
    guard !reports.isEmpty else { return [] }
    let rows = try await api.query(
      """
      SELECT message_id, kind, reason, count
      FROM message_tallies
      WHERE app_id = \(scope.app) AND message_id = ANY (\(reports.map(\.id)))
      """
    ) { row in
      MessageReport.Tally(
        message: try row.value(0), kind: TallyKind(code: try row.value(1)), reason: try row.value(2),
        count: try row.value(3))
    }
    let tallies = Dictionary(grouping: rows, by: \.message)
    return reports.map { $0.counting(tallies[$0.id] ?? []) }
  }
}

internal import Postgres
internal import PushCore

/// Commits a group of one app's receipts: the rows, each (delivery, kind) once, and the counts of what was really new.
///
/// A value, owned by the gatherer. Rows go in the order of their key, so that two groups do not deadlock.
struct ReceiptWriter: Sendable {
  let pool: ConnectionPool

  func commit(_ receipts: [Receipt], of app: AppID) async throws -> [Result<Void, any Error>] {
    let ordered = receipts.sorted(by: Self.precedes)
    try await pool.withTransaction { connection in
      let added = try await insert(ordered, of: app, on: connection)
      var tallies = Tallies()
      for receipt in added { tallies.add(1, receipt.kind, to: receipt.message) }
      try await tallies.write(of: app, on: connection)
    }
    return receipts.map { _ in .success(()) }
  }

  /// The phone's clock may be anything: it counts only between the message's making and now. A message that is gone has no receipts.
  private func insert(
    _ receipts: [Receipt], of app: AppID, on connection: PostgresConnection
  ) async throws -> [(message: MessageID, kind: ReceiptKind)] {
    try await connection.query(
      """
      INSERT INTO receipts
        (app_id, message_id, installation_id, kind, occurred_at, received_at, action)
      SELECT \(app), u.message_id, u.installation_id, u.kind,
             least(greatest(coalesce(u.occurred_at, now()), m.created_at), now()), now(), u.action
      FROM unnest(\(receipts.map(\.message)), \(receipts.map(\.installation)), \(receipts.map(\.kind)),
                  \(receipts.map(\.occurredAt)), \(receipts.map(\.action))) WITH ORDINALITY
        AS u (message_id, installation_id, kind, occurred_at, action, place)
      JOIN messages m ON m.app_id = \(app) AND m.id = u.message_id
      ORDER BY u.place
      ON CONFLICT (app_id, message_id, installation_id, kind) DO NOTHING
      RETURNING message_id, kind
      """
    ) { (message: try $0.value(0), kind: try $0.value(1)) }
  }

  private static func precedes(_ left: Receipt, _ right: Receipt) -> Bool {
    guard left.message == right.message else { return left.message < right.message }
    guard left.installation == right.installation else { return left.installation < right.installation }
    return left.kind.rawValue < right.kind.rawValue
  }
}

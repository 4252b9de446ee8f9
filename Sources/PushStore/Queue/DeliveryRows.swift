internal import Postgres
internal import PushCore

/// Deliveries on their way into their table, always in the order of its key: the index then grows at one place.
struct DeliveryRows: Sendable {
  let app: AppID

  /// The rows that were not there before.
  func insert(
    _ deliveries: [SettledDelivery], on connection: PostgresConnection
  ) async throws -> [SettledDelivery] {
    let ordered = deliveries.sorted(by: Self.precedes)
    let inserted = try await connection.query(
      """
      INSERT INTO deliveries
        (app_id, message_id, installation_id, user_id, state, reason, attempts, apns_id, settled_at)
      SELECT \(app), u.*
      FROM unnest(\(ordered.map(\.message)), \(ordered.map(\.installation)), \(ordered.map(\.userID)),
                  \(ordered.map(\.state)), \(ordered.map(\.reason)), \(ordered.map(\.attempts)),
                  \(ordered.map { $0.apnsID.map(StoredUUID.init) }), \(ordered.map(\.settledAt))) u
      ON CONFLICT (app_id, message_id, installation_id) DO NOTHING
      RETURNING message_id, installation_id
      """
    ) { Key(message: try $0.value(0), installation: try $0.value(1)) }
    // One of two equal keys in the same settlement is a duplicate too.
    var fresh = Set(inserted)
    return ordered.filter { fresh.remove(Key(message: $0.message, installation: $0.installation)) != nil }
  }

  private struct Key: Sendable, Hashable {
    let message: MessageID
    let installation: InstallationID
  }

  func copy(_ deliveries: [SettledDelivery], on connection: PostgresConnection) async throws {
    _ = try await insert(deliveries, on: connection)
  }

  private static func precedes(_ left: SettledDelivery, _ right: SettledDelivery) -> Bool {
    guard left.message == right.message else { return left.message < right.message }
    return left.installation < right.installation
  }
}

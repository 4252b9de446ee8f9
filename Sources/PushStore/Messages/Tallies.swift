internal import Postgres
internal import PushCore

/// What is counted of a message.
enum TallyKind: Sendable, Hashable {
  case ended(DeliveryState)
  case receipt(ReceiptKind)
  /// Accepted deliveries by how long they took; the reason is the bucket.
  case latency

  var code: Int16 {
    switch self {
    case .ended(let state): state.rawValue
    case .receipt(let kind): 10 + kind.rawValue
    case .latency: 20
    }
  }

  init?(code: Int16) {
    if let state = DeliveryState(rawValue: code) {
      self = .ended(state)
    } else if let kind = ReceiptKind(rawValue: code - 10) {
      self = .receipt(kind)
    } else if code == 20 {
      self = .latency
    } else {
      return nil
    }
  }
}

/// Counts to add, summed up before they are written: one row of the table for a group of thousands.
struct Tallies: Sendable {
  struct Key: Sendable, Hashable {
    let message: MessageID
    let kind: Int16
    let reason: String
  }

  private(set) var counts: [Key: Int64] = [:]

  mutating func add(_ count: Int64, _ state: DeliveryState, _ reason: Reason?, to message: MessageID) {
    add(count, .ended(state), reason?.rawValue ?? "", to: message)
  }

  mutating func add(_ count: Int64, _ kind: ReceiptKind, to message: MessageID) {
    add(count, .receipt(kind), "", to: message)
  }

  mutating func addLatency(from dueAt: Timestamp, to settledAt: Timestamp, of message: MessageID) {
    let milliseconds = max(0, (settledAt.microseconds - dueAt.microseconds) / 1000)
    add(1, .latency, LatencyBucket(milliseconds: milliseconds).text, to: message)
  }

  private mutating func add(_ count: Int64, _ kind: TallyKind, _ reason: String, to message: MessageID) {
    counts[Key(message: message, kind: kind.code, reason: reason), default: 0] += count
  }

  /// The last statement of a transaction: a row stays locked until the commit, and a broadcast's few rows are everybody's. In the
  /// order of the key, so that two writers never wait for each other.
  func write(of app: AppID, on connection: PostgresConnection) async throws {
    guard !counts.isEmpty else { return }
    let rows = counts.sorted { left, right in
      (left.key.message, left.key.kind, left.key.reason) < (right.key.message, right.key.kind, right.key.reason)
    }
    try await connection.execute(
      """
      INSERT INTO message_tallies (app_id, message_id, kind, reason, count)
      SELECT \(app), u.message_id, u.kind, u.reason, u.count
      FROM unnest(\(rows.map(\.key.message)), \(rows.map(\.key.kind)), \(rows.map(\.key.reason)), \(rows.map(\.value)))
        AS u (message_id, kind, reason, count)
      ON CONFLICT (app_id, message_id, kind, reason) DO UPDATE
      SET count = message_tallies.count + excluded.count
      """)
  }
}

internal import Postgres
internal import PushCore

extension MessageReport {
  /// Everything but the tallies. How many are being retried is seen from the batches that stand for them.
  static let selection: Query = """
    SELECT m.id, m.name, m.lane, m.created_at, m.send_at, m.started_at, m.finished_at, a.held_at IS NOT NULL,
           m.due_at > now(),
           coalesce((SELECT sum(cardinality(b.installations))
                     FROM batches b
                     WHERE b.app_id = m.app_id AND b.message_id = m.id AND b.attempts > 0), 0)::bigint
    FROM messages m
    JOIN apps a ON a.app_id = m.app_id
    """

  init(row: borrowing RowReader) throws {
    let startedAt = try row.optional(5, as: Timestamp.self)
    let finishedAt = try row.optional(6, as: Timestamp.self)
    let isHeld = try row.value(7, as: Bool.self)
    let isScheduled = try row.value(8, as: Bool.self)
    let status: MessageStatus =
      if finishedAt != nil { .done } else if isScheduled { .scheduled } else if isHeld {
        .held
      } else if startedAt != nil {
        .sending
      } else { .queued }
    self.init(
      id: try row.value(0), status: status, name: try row.optional(1), lane: try row.value(2),
      createdAt: try row.value(3))
    sendAt = try row.optional(4)
    self.startedAt = startedAt
    self.finishedAt = finishedAt
    counts.retrying = try row.value(9)
  }

  struct Tally: Sendable {
    let message: MessageID
    /// `nil` for a kind that a newer program counts.
    let kind: TallyKind?
    let reason: String
    let count: Int64
  }

  func counting(_ tallies: [Tally]) -> MessageReport {
    var report = self
    var latencies: [LatencyBucket: Int64] = [:]
    for tally in tallies {
      switch tally.kind {
      case .ended(let state): report.add(tally.count, state, Reason(rawValue: tally.reason))
      case .receipt(let kind): report.add(tally.count, kind)
      case .latency: LatencyBucket(text: tally.reason).map { latencies[$0, default: 0] += tally.count }
      case nil: break
      }
    }
    if let median = LatencyBucket.percentile(0.5, of: latencies),
      let tail = LatencyBucket.percentile(0.99, of: latencies)
    {
      report.latency = MessageReport.Latency(p50Milliseconds: median, p99Milliseconds: tail)
    }
    return report
  }

  private mutating func add(_ count: Int64, _ state: DeliveryState, _ reason: Reason) {
    counts.targeted += count
    switch state {
    case .accepted: counts.accepted += count
    case .failed:
      counts.failed += count
      failedBy[reason, default: 0] += count
    case .expired: counts.expired += count
    case .cancelled: counts.cancelled += count
    case .suppressed:
      counts.suppressed += count
      suppressedBy[reason, default: 0] += count
    }
  }

  private mutating func add(_ count: Int64, _ kind: ReceiptKind) {
    switch kind {
    case .delivered: counts.delivered += count
    case .opened: counts.opened += count
    case .dismissed: counts.dismissed += count
    // Kept, and seen with its delivery; a tapped button also opens or dismisses.
    case .action: break
    }
  }
}

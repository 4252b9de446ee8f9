internal import JSON
internal import PushCore

extension JSONWriter {
  mutating func members(of message: CreatedMessage, in app: AppID) {
    member("id", message.id)
    member("status", message.status.rawValue)
    member("app_id", app)
    member("created_at", message.createdAt)
  }

  mutating func members(of report: MessageReport, in app: AppID) {
    member("id", report.id)
    member("app_id", app)
    member("status", report.status.rawValue)
    member("name", report.name)
    member("lane", report.lane.rawValue)
    member("created_at", report.createdAt)
    member("send_at", report.sendAt)
    member("started_at", report.startedAt)
    member("finished_at", report.finishedAt)
    member("counts") { $0.members(of: report.counts) }
    member("suppressed_by") { $0.members(of: report.suppressedBy) }
    member("failed_by") { $0.members(of: report.failedBy) }
    guard let latency = report.latency else { return member("latency", String?.none) }
    member("latency") {
      $0.member("p50_ms", latency.p50Milliseconds)
      $0.member("p99_ms", latency.p99Milliseconds)
    }
  }

  mutating func members(of delivery: DeliveryReport) {
    member("message_id", delivery.message)
    member("installation_id", delivery.installation)
    member("user_id", delivery.userID)
    member("status", delivery.state.word)
    member("reason", delivery.reason?.rawValue)
    member("attempts", Int(delivery.attempts))
    member("apns_id", delivery.apnsID.map(Self.uuid))
    member("settled_at", delivery.settledAt)
    member("receipts") { receipts in
      for kind in ReceiptKind.allCases {
        guard let time = delivery.receipts[kind] else { continue }
        receipts.name(text: kind.word)
        receipts.value(time)
      }
    }
  }

  private mutating func members(of counts: MessageCounts) {
    member("targeted", counts.targeted)
    member("suppressed", counts.suppressed)
    member("accepted", counts.accepted)
    member("failed", counts.failed)
    member("expired", counts.expired)
    member("cancelled", counts.cancelled)
    member("retrying", counts.retrying)
    member("delivered", counts.delivered)
    member("opened", counts.opened)
    member("dismissed", counts.dismissed)
  }

  private mutating func members(of counts: [Reason: Int64]) {
    for (reason, count) in counts.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
      name(text: reason.rawValue)
      value(count)
    }
  }

  /// Canonical form, lower case.
  private static func uuid(_ value: UInt128) -> String {
    let digits = Array("0123456789abcdef".utf8)
    var text: [UInt8] = []
    for position in 0..<32 {
      if [8, 12, 16, 20].contains(position) { text.append(UInt8(ascii: "-")) }
      text.append(digits[Int(truncatingIfNeeded: value >> (124 - 4 * position)) & 15])
    }
    return String(decoding: text, as: UTF8.self)
  }
}

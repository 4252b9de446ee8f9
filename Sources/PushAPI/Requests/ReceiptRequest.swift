internal import PushCore

/// One report of what a person saw or did with a push, not yet checked against its proof.
struct ReceiptRequest: RequestBody {
  static let schema = "Receipt"
  static let required = ["installation_id", "delivery_id", "event"]
  static let optional = ["occurred_at", "action"]

  let installation: InstallationID
  let delivery: DeliveryID
  let kind: ReceiptKind
  let occurredAt: Timestamp?
  let action: String?

  init(_ fields: FieldReader) {
    installation = fields.id("installation_id")
    delivery = fields.deliveryID("delivery_id")
    kind = fields.choice("event", words: ReceiptKind.allCases.map { ($0.word, $0) }, or: .opened)
    occurredAt = fields.time("occurred_at")
    action = fields.optionalText("action", FieldLimit.word)
    if action != nil, kind != .action {
      fields.report("action", "contradiction", "Only an event \"action\" names the button that was tapped.")
    }
  }
}

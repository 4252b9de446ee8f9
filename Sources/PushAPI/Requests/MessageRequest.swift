internal import JSON
internal import PushCore

/// A message as a sender writes it: target, content, when, and the idempotency key that may stand in the body.
struct MessageRequest: RequestBody {
  static let schema = "CreateMessageRequest"
  static let required = ["target"]
  static let optional =
    ["app_id", "lane", "send_at", "ttl", "name", "idempotency_key"] + MessageContent.fields

  let app: AppID?
  let draft: MessageDraft
  let idempotencyKey: String?

  /// A request that took a while to arrive is not late.
  static let grace: Int64 = 300
  static let furthest: Int64 = 366 * 86_400

  init(_ fields: FieldReader) {
    app = fields.optionalID("app_id")
    let target = Target(fields)
    draft = MessageDraft(
      target: target,
      content: MessageContent(fields),
      lane: fields.optionalChoice("lane") ?? target.usualLane,
      sendAt: Self.sendAt(fields),
      timeToLive: fields.integer("ttl", 0...Seconds.maximumTimeToLive.count).map(Seconds.init) ?? .defaultTimeToLive,
      name: fields.optionalText("name", FieldLimit.name))
    idempotencyKey = fields.optionalText(IdempotencyKey.field, IdempotencyKey.length)
    if let idempotencyKey, !IdempotencyKey.isPrintable(idempotencyKey) {
      fields.report(IdempotencyKey.field, "invalid_characters", IdempotencyKey.detail)
    }
  }

  private static func sendAt(_ fields: FieldReader) -> Timestamp? {
    guard let time = fields.time("send_at") else { return nil }
    let now = Timestamp.now()
    if time < now.advanced(bySeconds: -grace) {
      fields.report("send_at", "in_the_past", "send_at may be at most 5 minutes past; leave it out to send now.")
    }
    if time > now.advanced(bySeconds: furthest) {
      fields.report("send_at", "too_far", "send_at may be at most a year ahead.")
    }
    return time
  }
}

extension Target {
  /// A message to one person is waited for; one to many is not.
  fileprivate var usualLane: Lane {
    switch self {
    case .users(let ids): ids.count == 1 ? .transactional : .bulk
    case .installations(let ids): ids.count == 1 ? .transactional : .bulk
    case .all: .bulk
    }
  }
}

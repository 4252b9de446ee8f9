/// What the phones show: for each device token the accepted pushes, newest last, where a collapse id replaces what it shows.
/// A value inside the host's lock; bounded in tokens and in pushes per token.
package struct PhoneScreens: Sendable {
  private var screens: [[UInt8]: [DeliveredPush]] = [:]
  private let maximumTokens: Int
  private let maximumPushes: Int

  package init(maximumTokens: Int = 10_000, maximumPushes: Int = 100) {
    self.maximumTokens = maximumTokens
    self.maximumPushes = maximumPushes
  }

  /// Tokens beyond the bound are not kept: the listing is for people and tests, not for a million phones.
  package mutating func show(_ push: DeliveredPush, on token: [UInt8]) {
    guard maximumTokens > 0, screens[token] != nil || screens.count < maximumTokens else { return }
    var push = push
    var screen = screens.removeValue(forKey: token) ?? []
    if let id = push.collapseID,
      let shown = screen.firstIndex(where: { $0.collapseID == id && $0.bundleID == push.bundleID })
    {
      push.replaced = screen[shown].replaced + 1
      screen.remove(at: shown)
    }
    screen.append(push)
    if screen.count > maximumPushes { screen.removeFirst() }
    screens[token] = screen
  }

  package func screen(of token: [UInt8]) -> [DeliveredPush] { screens[token] ?? [] }

  /// The one push that Apple would keep for a phone that is off: the last of its app that is still to be stored at `now`
  /// (seconds since 1970). `apns-expiration` 0 is never stored; no expiration is 30 days.
  package func stored(for token: [UInt8], bundleID: String, now: Int64) -> DeliveredPush? {
    screen(of: token).last { push in
      guard push.bundleID == bundleID else { return false }
      return (push.expiration ?? push.acceptedAt / 1000 + 30 * 86_400) > now
    }
  }

  package mutating func removeAll() { screens.removeAll() }
}

/// A push that was answered 200.
package struct DeliveredPush: Sendable, Hashable {
  package let messageID: String
  package let topic: String
  package let bundleID: String
  package let kind: String?
  package let priority: Int
  /// Seconds since 1970, as sent.
  package let expiration: Int64?
  package let collapseID: String?
  package let payload: [UInt8]
  /// Milliseconds since 1970.
  package let acceptedAt: Int64
  /// How many earlier pushes with the same collapse id this one has replaced.
  package fileprivate(set) var replaced = 0

  init(_ fields: PushFields, messageID: [UInt8], payload: [UInt8], at now: Int64) {
    self.messageID = String(decoding: messageID, as: UTF8.self)
    topic = fields.topic
    bundleID = fields.bundleID
    kind = fields.kind?.rawValue
    priority = fields.priority
    expiration = fields.expiration
    collapseID = fields.collapseID.map { String(decoding: $0, as: UTF8.self) }
    self.payload = payload
    acceptedAt = now
  }
}

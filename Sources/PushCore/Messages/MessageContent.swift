/// What a message says, whoever it is sent to and whatever carries it.
package struct MessageContent: Sendable, Hashable {
  package var text = LocalizedText()
  package var imageURL: String?
  /// What a tap opens.
  package var url: String?
  /// The sender's own members; they arrive at the payload's root, in this order.
  package var data: [JSONMember] = []
  /// `nil` leaves the icon's number alone, 0 removes it.
  package var badge: Int32?
  package var sound: Sound?
  package var category: String?
  package var apns = APNsOptions()
  /// By BCP 47 tag, `fr` or `fr-CA`; the longest one that matches an installation's locale is used.
  package var localizations: [String: LocalizedText] = [:]
  /// Values for `{{name}}` in the texts.
  package var variables: [String: String] = [:]

  package init() {}
}

/// The words of a message in one language. A part left out of a localization is taken from the message's own text.
package struct LocalizedText: Sendable, Hashable {
  package var title: String?
  package var subtitle: String?
  package var body: String?

  package init(title: String? = nil, subtitle: String? = nil, body: String? = nil) {
    self.title = title
    self.subtitle = subtitle
    self.body = body
  }

  package var isEmpty: Bool { title == nil && subtitle == nil && body == nil }
}

package enum Sound: Sendable, Hashable {
  case named(String)
  /// Sounds through mute and Focus, with Apple's entitlement; `volume` is 0 to 1, its digits as sent.
  case critical(name: String, volume: JSONText?)
}

/// What only Apple's service knows of a message.
package struct APNsOptions: Sendable, Hashable {
  package var pushType: PushType?
  package var priority: Int?
  package var collapseID: CollapseID = .ofMessage
  package var threadID: String?
  package var interruptionLevel: String?
  /// Its digits as sent.
  package var relevanceScore: JSONText?
  package var mutableContent: Bool?
  package var contentAvailable: Bool?
  package var targetContentID: String?
  package var filterCriteria: String?
  package var titleLocKey: String?
  package var titleLocArgs: [String] = []
  package var subtitleLocKey: String?
  package var subtitleLocArgs: [String] = []
  package var locKey: String?
  package var locArgs: [String] = []
  package var launchImage: String?
  /// Members for `aps` that this product does not know; a known name among them is refused.
  package var aps: [JSONMember] = []

  package init() {}
}

/// Which notification on the screen this one replaces.
package enum CollapseID: Sendable, Hashable {
  /// Made from the message, so that a resend after a crash replaces the first copy instead of showing twice.
  case ofMessage
  /// The sender's own.
  case named(String)
  /// The sender turned it off.
  case off
}

/// `apns-push-type`: the kinds that this product sends so far.
package enum PushType: String, Sendable, Hashable, CaseIterable {
  case alert, background
}

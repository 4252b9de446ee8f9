internal import PushCore

/// What Apple demands of one `apns-push-type`: its topic, its priorities, its size.
///
/// A constant of the table below. The table has every type Apple knows; which of them senders may use is
/// ``PushCore/PushType``'s to say, and a new case there needs one line in ``PushKind/init(_:)``.
struct PushKind: Sendable, Hashable {
  /// The header's value.
  let name: String
  /// What follows the bundle id in `apns-topic`; `nil` when the topic is not made from a bundle id (MDM).
  let topicSuffix: String?
  /// In ascending order; the last is the default.
  let priorities: [Int]
  /// Bytes of the body as sent.
  let payloadLimit: Int

  fileprivate init(
    name: String, topicSuffix: String? = "", priorities: [Int] = [1, 5, 10], payloadLimit: Int = usualPayloadLimit
  ) {
    self.name = name
    self.topicSuffix = topicSuffix
    self.priorities = priorities
    self.payloadLimit = payloadLimit
  }

  var defaultPriority: Int { priorities[priorities.count - 1] }

  /// `bundleID` may have the suffix already: people paste topics where bundle ids belong.
  func topic(forBundleID bundleID: String) -> String? {
    guard let topicSuffix else { return nil }
    return bundleID.hasSuffix(topicSuffix) ? bundleID : bundleID + topicSuffix
  }
}

extension PushKind {
  /// "Generating a remote notification": 4 KB, and 5 KB for VoIP.
  static let usualPayloadLimit = 4096
  static let voipPayloadLimit = 5120

  static let alert = PushKind(name: "alert")
  /// Apple: "always use priority 5; using 10 is an error".
  static let background = PushKind(name: "background", priorities: [5])
  static let location = PushKind(name: "location", topicSuffix: ".location-query")
  static let voip = PushKind(name: "voip", topicSuffix: ".voip", payloadLimit: voipPayloadLimit)
  static let complication = PushKind(name: "complication", topicSuffix: ".complication")
  static let fileProvider = PushKind(name: "fileprovider", topicSuffix: ".pushkit.fileprovider")
  static let mdm = PushKind(name: "mdm", topicSuffix: nil)
  static let liveActivity = PushKind(
    name: "liveactivity", topicSuffix: ".push-type.liveactivity", priorities: [5, 10])
  static let pushToTalk = PushKind(name: "pushtotalk", topicSuffix: ".voip-ptt", priorities: [10])
  static let widgets = PushKind(name: "widgets", topicSuffix: ".push-type.widgets")
  static let controls = PushKind(name: "controls", topicSuffix: ".push-type.controls")

  static let all: [PushKind] = [
    alert, background, location, voip, complication, fileProvider, mdm, liveActivity, pushToTalk, widgets, controls,
  ]

  init(_ type: PushType) {
    switch type {
    case .alert: self = .alert
    case .background: self = .background
    }
  }
}

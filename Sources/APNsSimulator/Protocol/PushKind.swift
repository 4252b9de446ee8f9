/// The values of `apns-push-type`, what each appends to the bundle id in `apns-topic`, and how large its payload may be.
package enum PushKind: String, CaseIterable, Sendable {
  case alert, background, location, voip, complication, fileprovider, mdm, liveactivity, pushtotalk, widgets, controls

  package init?(_ value: some Collection<UInt8>) {
    self.init(rawValue: String(decoding: value, as: UTF8.self))
  }

  /// Empty for the kinds whose topic is the bundle id itself (or, for `mdm`, the certificate's UID).
  package var topicSuffix: String {
    switch self {
    case .alert, .background, .mdm: ""
    case .location: ".location-query"
    case .voip: ".voip"
    case .complication: ".complication"
    case .fileprovider: ".pushkit.fileprovider"
    case .liveactivity: ".push-type.liveactivity"
    case .pushtotalk: ".voip-ptt"
    case .widgets: ".push-type.widgets"
    case .controls: ".push-type.controls"
    }
  }

  /// Bytes of the body as sent.
  package var maximumPayload: Int { self == .voip ? 5120 : 4096 }

  private static let suffixes = allCases.map(\.topicSuffix).filter { !$0.isEmpty }

  /// The bundle id inside a topic, when the topic is shaped as this kind demands; nil when the suffix is missing or is
  /// another kind's.
  package func bundleID(inTopic topic: String) -> String? {
    guard topicSuffix.isEmpty else {
      guard topic.hasSuffix(topicSuffix), topic.utf8.count > topicSuffix.utf8.count else { return nil }
      return String(topic.dropLast(topicSuffix.count))
    }
    return Self.suffixes.contains { topic.hasSuffix($0) } ? nil : topic
  }

  /// The bundle id inside a topic whatever its kind.
  package static func bundleID(inTopic topic: String) -> String {
    for suffix in suffixes where topic.hasSuffix(suffix) && topic.utf8.count > suffix.utf8.count {
      return String(topic.dropLast(suffix.count))
    }
    return topic
  }
}

/// The checks that need nothing but the request, in the order in which the simulator makes them. Method and path come before
/// the credentials and the rest after them, which is what is known of Apple's own order.
package enum RequestCheck {
  private static let devicePath = Array("/3/device/".utf8)

  /// The device token of the path, as sent; empty when there is none (an error only once the credentials have passed).
  package static func route(_ headers: RequestHeaders) throws(Refusal) -> ArraySlice<UInt8> {
    guard headers.method.elementsEqual("POST".utf8) else { throw Refusal(.methodNotAllowed) }
    guard headers.path.starts(with: devicePath) else { throw Refusal(.badPath) }
    let token = headers.path.dropFirst(devicePath.count)
    guard !token.contains(UInt8(ascii: "/")) else { throw Refusal(.badPath) }
    return token
  }

  /// apns-id, expiration, priority, push type, collapse id, topic.
  package static func fields(_ headers: RequestHeaders) throws(Refusal) -> PushFields {
    var fields = PushFields()
    if let id = headers.messageID {
      guard MessageID.isValid(id) else { throw Refusal(.badMessageID) }
      fields.messageID = id
    }
    if let text = headers.expiration { fields.expiration = try expiration(text) }
    if let text = headers.priority { fields.priority = try priority(text) }
    if let text = headers.pushType {
      guard let kind = PushKind(text) else { throw Refusal(.invalidPushType) }
      // Apple calls 10 an error for background pushes without naming the reason. An absent priority, which means 10, is let
      // through: senders are known to leave it out.
      guard !(kind == .background && headers.priority != nil && fields.priority == 10) else {
        throw Refusal(.badPriority)
      }
      fields.kind = kind
    }
    if let id = headers.collapseID {
      guard id.count <= 64 else { throw Refusal(.badCollapseID) }
      fields.collapseID = id
    }
    guard let topic = headers.topic, !topic.isEmpty else { throw Refusal(.missingTopic) }
    guard topic.count <= 255, topic.allSatisfy(isTopicByte) else { throw Refusal(.badTopic) }
    fields.topic = String(decoding: topic, as: UTF8.self)
    return fields
  }

  package static func body(length: Int, fields: PushFields) throws(Refusal) {
    guard length > 0 else { throw Refusal(.payloadEmpty) }
    let kind = fields.kind ?? (fields.topic.hasSuffix(PushKind.voip.topicSuffix) ? .voip : .alert)
    guard length <= kind.maximumPayload else { throw Refusal(.payloadTooLarge) }
  }

  /// Hexadecimal, even, 2 to 200 digits, any case; the length is not fixed.
  package static func token(_ text: ArraySlice<UInt8>) throws(Refusal) -> [UInt8] {
    guard !text.isEmpty else { throw Refusal(.missingDeviceToken) }
    guard text.count <= 200, text.count.isMultiple(of: 2), text.allSatisfy(Hexadecimal.isDigit) else {
      throw Refusal(.badDeviceToken)
    }
    return Hexadecimal.lowercased(text)
  }

  /// Whole seconds. More than 32 bits is taken for milliseconds, which Apple is reported to refuse.
  private static func expiration(_ text: [UInt8]) throws(Refusal) -> Int64 {
    guard (1...10).contains(text.count), text.allSatisfy({ $0 >= UInt8(ascii: "0") && $0 <= UInt8(ascii: "9") }) else {
      throw Refusal(.badExpirationDate)
    }
    let seconds = text.reduce(Int64(0)) { $0 * 10 + Int64($1 - UInt8(ascii: "0")) }
    guard seconds <= UInt32.max else { throw Refusal(.badExpirationDate) }
    return seconds
  }

  private static func priority(_ text: [UInt8]) throws(Refusal) -> Int {
    switch String(decoding: text, as: UTF8.self) {
    case "10": 10
    case "5": 5
    case "1": 1
    default: throw Refusal(.badPriority)
    }
  }

  private static func isTopicByte(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "-"):
      true
    default: false
    }
  }
}

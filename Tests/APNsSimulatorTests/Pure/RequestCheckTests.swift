import Testing

@testable import APNsSimulator

@Suite("Header, topic and payload checks")
struct RequestCheckTests {
  private func headers(_ changes: [String: String] = [:], without absent: String = "") -> RequestHeaders {
    var lines = [
      ":method": "POST", ":path": "/3/device/" + String(repeating: "ab", count: 32), "apns-topic": "com.example.app",
      "apns-push-type": "alert",
    ]
    lines.merge(changes) { $1 }
    lines[absent] = nil
    var headers = RequestHeaders()
    for (name, value) in lines { headers.add(name: Array(name.utf8), value: Array(value.utf8)) }
    return headers
  }

  private func reason(_ changes: [String: String], without absent: String = "") -> RefusalReason? {
    do throws(Refusal) {
      _ = try RequestCheck.fields(headers(changes, without: absent))
      return nil
    } catch { return error.reason }
  }

  @Test("a plain request passes and its fields are read")
  func plain() throws {
    let fields = try RequestCheck.fields(
      headers([
        "apns-id": "123e4567-e89b-12d3-a456-426614174000", "apns-expiration": "0", "apns-priority": "5",
        "apns-collapse-id": "score",
      ]))
    #expect(fields.kind == .alert)
    #expect(fields.priority == 5)
    #expect(fields.expiration == 0)
    #expect(fields.topic == "com.example.app")
    #expect(fields.collapseID == Array("score".utf8))
  }

  @Test(
    "a method other than POST and a path other than /3/device/<token> are refused before anything else",
    arguments: [
      ("GET", "/3/device/ab", RefusalReason.methodNotAllowed), ("GET", "/nowhere", .methodNotAllowed),
      ("POST", "/3/device", .badPath), ("POST", "/3/device/ab/cd", .badPath), ("POST", "/", .badPath),
      ("post", "/3/device/ab", .methodNotAllowed),
    ])
  func route(method: String, path: String, expected: RefusalReason) {
    #expect(throws: Refusal(expected)) { try RequestCheck.route(headers([":method": method, ":path": path])) }
  }

  @Test("a path without a token is a route; that the token is missing is found later")
  func missingToken() throws {
    let token = try RequestCheck.route(headers([":path": "/3/device/"]))
    #expect(token.isEmpty)
    #expect(throws: Refusal(.missingDeviceToken)) { try RequestCheck.token(token) }
  }

  @Test(
    "apns-expiration is whole seconds of at most 32 bits",
    arguments: [
      ("0", true), ("300", true), ("4294967295", true), ("4294967296", false), ("1760000000000", false),
      ("1760000000.5", false), ("-1", false), ("", false), ("soon", false),
    ])
  func expiration(text: String, isGood: Bool) {
    #expect(reason(["apns-expiration": text]) == (isGood ? nil : .badExpirationDate))
  }

  @Test(
    "apns-priority is 10, 5 or 1",
    arguments: [
      ("10", true), ("5", true), ("1", true), ("7", false), ("0", false), ("", false), ("010", false), ("high", false),
    ])
  func priority(text: String, isGood: Bool) {
    #expect(reason(["apns-priority": text]) == (isGood ? nil : .badPriority))
  }

  @Test("a background push with priority 10 is refused, with 5 or without one it passes")
  func backgroundPriority() {
    #expect(reason(["apns-push-type": "background", "apns-priority": "10"]) == .badPriority)
    #expect(reason(["apns-push-type": "background", "apns-priority": "5"]) == nil)
    #expect(reason(["apns-push-type": "background"]) == nil)
  }

  @Test("apns-collapse-id is counted in bytes: 64 pass, 22 CJK characters are 66 and do not")
  func collapseID() {
    #expect(reason(["apns-collapse-id": String(repeating: "x", count: 64)]) == nil)
    #expect(reason(["apns-collapse-id": String(repeating: "x", count: 65)]) == .badCollapseID)
    #expect(reason(["apns-collapse-id": String(repeating: "\u{6F22}", count: 22)]) == .badCollapseID)
  }

  @Test(
    "apns-id is a canonical UUID in either case",
    arguments: [
      ("123e4567-e89b-12d3-a456-426614174000", true), ("123E4567-E89B-12D3-A456-426614174000", true),
      ("123e4567e89b12d3a456426614174000", false), ("", false), ("123e4567-e89b-12d3-a456-42661417400g", false),
      ("123e4567-e89b-12d3-a456-4266141740000", false),
    ])
  func messageID(text: String, isGood: Bool) {
    #expect(reason(["apns-id": text]) == (isGood ? nil : .badMessageID))
  }

  @Test("topic: none and empty are missing, odd characters are bad; an unknown push type is invalid")
  func topicAndType() {
    #expect(reason([:], without: "apns-topic") == .missingTopic)
    #expect(reason(["apns-topic": ""]) == .missingTopic)
    #expect(reason(["apns-topic": "com example"]) == .badTopic)
    #expect(reason(["apns-push-type": "Alert"]) == .invalidPushType)
    #expect(reason(["apns-push-type": "push"]) == .invalidPushType)
  }

  @Test("when several fields are wrong the reasons come in Apple's presumed order")
  func order() {
    var wrong = [
      "apns-id": "x", "apns-expiration": "x", "apns-priority": "x", "apns-push-type": "x",
      "apns-collapse-id": String(repeating: "x", count: 65), "apns-topic": "",
    ]
    let order: [(field: String, refusal: RefusalReason, cure: String)] = [
      ("apns-id", .badMessageID, "123e4567-e89b-12d3-a456-426614174000"), ("apns-expiration", .badExpirationDate, "0"),
      ("apns-priority", .badPriority, "5"), ("apns-push-type", .invalidPushType, "alert"),
      ("apns-collapse-id", .badCollapseID, "x"), ("apns-topic", .missingTopic, "com.example.app"),
    ]
    for step in order {
      #expect(reason(wrong) == step.refusal)
      wrong[step.field] = step.cure
    }
    #expect(reason(wrong) == nil)
  }

  @Test(
    "payload limits are 4096 bytes, 5120 for voip, also when only the topic says voip",
    arguments: [
      (PushKind.alert, "com.example.app", 4096), (.liveactivity, "com.example.app.push-type.liveactivity", 4096),
      (.voip, "com.example.app.voip", 5120), (nil, "com.example.app.voip", 5120), (nil, "com.example.app", 4096),
    ])
  func payload(kind: PushKind?, topic: String, limit: Int) throws {
    var fields = PushFields()
    fields.kind = kind
    fields.topic = topic
    #expect(throws: Refusal(.payloadEmpty)) { try RequestCheck.body(length: 0, fields: fields) }
    try RequestCheck.body(length: 2, fields: fields)
    try RequestCheck.body(length: limit, fields: fields)
    #expect(throws: Refusal(.payloadTooLarge)) { try RequestCheck.body(length: limit + 1, fields: fields) }
  }

  @Test(
    "device tokens are even hexadecimal of 2 to 200 digits",
    arguments: [(2, true), (64, true), (108, true), (160, true), (200, true), (63, false), (202, false)])
  func tokenLength(digits: Int, isGood: Bool) throws {
    let text = ArraySlice(repeatElement(UInt8(ascii: "A"), count: digits))
    guard isGood else {
      #expect(throws: Refusal(.badDeviceToken)) { try RequestCheck.token(text) }
      return
    }
    #expect(try RequestCheck.token(text) == Array(repeating: UInt8(ascii: "a"), count: digits))
  }

  @Test("a token that is not hexadecimal is bad")
  func tokenDigits() {
    #expect(throws: Refusal(.badDeviceToken)) { try RequestCheck.token(ArraySlice("zz:APA91b-x_y".utf8 + [0x78])) }
  }

  @Test("a field twice is noticed, an unknown field twice is not")
  func duplicates() {
    var twice = headers()
    twice.add(name: Array("user-agent".utf8), value: [1])
    twice.add(name: Array("user-agent".utf8), value: [2])
    #expect(!twice.hasDuplicate)
    twice.add(name: Array("apns-topic".utf8), value: Array("com.example.app".utf8))
    #expect(twice.hasDuplicate)
  }
}

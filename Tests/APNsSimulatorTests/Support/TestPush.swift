import HTTP2

/// A request to send. Starts out right in everything but the provider token.
struct TestPush: Sendable {
  var method = "POST"
  var path: String
  var headers: [(name: String, value: String)]
  var body = #"{"aps":{"alert":"x"}}"#

  init(token: String = TestPush.token(1), authorization: String? = nil) {
    path = "/3/device/" + token
    headers = [("apns-topic", "com.example.app"), ("apns-push-type", "alert")]
    if let authorization { headers.append(("authorization", authorization)) }
  }

  /// A token that stands for nobody in particular.
  static func token(_ serial: Int) -> String {
    let number = String(serial, radix: 16)
    return "abcd" + String(repeating: "0", count: 60 - number.count) + number
  }

  func with(_ name: String, _ value: String?) -> TestPush {
    var push = self
    push.headers.removeAll { $0.name == name }
    if let value { push.headers.append((name, value)) }
    return push
  }

  var templateFields: [HeaderTemplate.Field] {
    let pseudo: [HeaderTemplate.Field] = [
      HeaderTemplate.Field(":method", .fixed(Array(method.utf8))),
      HeaderTemplate.Field(":scheme", .fixed(Array("https".utf8))),
      HeaderTemplate.Field(":path", .variable, .notRemembered),
      HeaderTemplate.Field(":authority", .fixed(Array("localhost".utf8))),
    ]
    return pseudo + headers.map { HeaderTemplate.Field($0.name, .fixed(Array($0.value.utf8))) }
  }
}

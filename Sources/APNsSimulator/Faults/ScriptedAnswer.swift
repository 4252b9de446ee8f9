/// An answer made to order, whatever the request: any status, fields and body.
package struct ScriptedAnswer: Sendable, Hashable {
  package var status: Int
  /// Sent behind `:status` and `apns-id`.
  package var headers: [HeaderLine]
  package var body: [UInt8]

  package init(status: Int, headers: [HeaderLine] = [], body: [UInt8] = []) {
    self.status = status
    self.headers = headers
    self.body = body
  }

  package init(_ refusal: Refusal, retryAfterSeconds: Int? = nil) {
    let headers = retryAfterSeconds.map { [HeaderLine("retry-after", String($0))] } ?? []
    self.init(status: refusal.reason.status, headers: headers, body: refusal.body)
  }

  package static func reason(
    _ reason: RefusalReason, timestamp: Int64? = nil, retryAfterSeconds: Int? = nil
  ) -> ScriptedAnswer {
    ScriptedAnswer(Refusal(reason, timestamp: timestamp), retryAfterSeconds: retryAfterSeconds)
  }

  package static func html(status: Int) -> ScriptedAnswer {
    let page = "<html><body><h1>\(status)</h1>Something in between answered.</body></html>"
    return ScriptedAnswer(status: status, headers: [HeaderLine("content-type", "text/html")], body: Array(page.utf8))
  }

  /// A body of that many bytes that is no JSON.
  package static func oversized(status: Int, bytes: Int) -> ScriptedAnswer {
    ScriptedAnswer(status: status, body: [UInt8](repeating: UInt8(ascii: "x"), count: bytes))
  }

  package static let unknownReason = ScriptedAnswer(status: 400, body: Array(#"{"reason":"SomethingNew"}"#.utf8))
  package static let truncatedJSON = ScriptedAnswer(status: 400, body: Array(#"{"reason":"BadDevi"#.utf8))
}

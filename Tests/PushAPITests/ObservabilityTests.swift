import HTTP
import JSON
import ServiceKit
import Testing

@testable import PushAPI

@Suite struct ObservabilityTests {
  @Test func eachRequestIsOneLineWithItsRouteAndNotItsPath() async throws {
    let tenant = try await Tenant.make()
    let sent = try await tenant.send(#"{"target":{"type":"user","id":"u"},"title":"x"}"#)
    let before = tenant.api.log.lines.count
    _ = try await tenant.api.call(
      .get, "messages/\(sent.text("id"))", tenant.appKey, headers: ["X-Request-ID": "caller-1"])
    let lines = tenant.api.log.lines.dropFirst(before)
    #expect(lines.count == 1)
    let line = try JSONValue(parsing: Array((lines.first ?? "").utf8))
    #expect(line["event"]?.string == "http.request")
    #expect(line["route"]?.string == "/push/v1/messages/{id}")
    #expect(line["status"]?.number?.int64 == 200)
    #expect(line["request_id"]?.string == "caller-1")
    #expect(line["ms"]?.number?.double != nil)
  }

  @Test(arguments: ["", "a b", "a\"b", "a\u{e9}", String(repeating: "a", count: 129), "a/b", "a<b"])
  func aRequestIDThatCouldDoHarmIsReplaced(_ text: String) async throws {
    let api = try await TestAPI.make()
    let answer = try await api.call(.get, "/healthz", headers: ["X-Request-ID": text])
    let id = answer.response.fields["X-Request-ID"] ?? ""
    #expect(id.hasPrefix("req_"))
    #expect(id.utf8.count == 30)
  }

  @Test func requestsAreCountedByRouteAndStatus() async throws {
    let tenant = try await Tenant.make()
    _ = try await tenant.api.call(.get, "messages", tenant.appKey)
    _ = try await tenant.api.call(.get, "nowhere/at/all")
    let metrics = try await tenant.api.call(.get, "/metrics")
    #expect(metrics.status == 200)
    #expect(metrics.response.fields["Content-Type"]?.hasPrefix("text/plain; version=0.0.4") == true)
    #expect(
      metrics.text.contains(
        #"bolrach_http_request_duration_seconds_count{method="GET",route="/push/v1/messages",status="200"} 1"#))
    #expect(metrics.text.contains(#"route="(unmatched)",status="404""#))
    #expect(!metrics.text.contains("nowhere"))
  }

  @Test func readinessIsTheDatabasesAndHealthIsNot() async throws {
    let api = try await TestAPI.make(readiness: .notReady("the database does not answer"))
    let ready = try await api.call(.get, "/readyz")
    #expect(ready.status == 503)
    #expect(ready.code == "not_ready")
    #expect(ready.response.fields["Retry-After"] != nil)
    #expect(try await api.call(.get, "/healthz").text == #"{"status":"ok"}"#)
    #expect(try await TestAPI.make().call(.get, "/readyz").text == #"{"status":"ready"}"#)
  }

  /// Case 116: nothing that is secret or private is in any answer that did not make it, or in any line of the log.
  @Test func secretsAreInNoLogAndNoLaterAnswer() async throws {
    let tenant = try await Tenant.make()
    let api = tenant.api
    let token = String(repeating: "c0ffee", count: 12)
    let phone = try await tenant.device(token: token, extra: #","user_id":"private-user""#)
    let receiptToken = phone.registered.text("receipt_token")
    let keyLine = "c2VjcmV0LWtleS1tYXRlcmlhbA=="
    let document = ShapeInspector.goodKey.split(separator: "\n").joined(separator: #"\n"#)
    let ids = #""team_id":"TEAM123456","key_id":"KEY1234567","bundle_id":"com.example.shop""#
    let apns = "apps/\(tenant.app)/apns"
    let title = "Your biopsy result"
    var answers = [
      try await api.call(.put, apns, tenant.accountKey, body: #"{\#(ids),"p8":"\#(document)"}"#),
      try await api.call(.get, apns, tenant.accountKey),
      try await api.call(.put, apns, tenant.accountKey, body: #"{\#(ids),"p8":"broken \#(keyLine)"}"#),
      try await api.call(.put, apns, tenant.accountKey, body: #"{\#(ids),"p8":5,"p9":"\#(keyLine)"}"#),
      try await tenant.send(#"{"target":{"type":"user","id":"private-user"},"title":"\#(title)"}"#),
      try await tenant.send(#"{"target":{"type":"user","id":7},"title":"\#(title)","badge":"\#(title)"}"#),
      try await tenant.send(#"{"target":{"type":"user","id":"u"},"title":"\#(title)"#),
      try await api.call(.get, "messages", .bearer(tenant.appKeyText + "x")),
      try await api.call(.get, "installations", tenant.appKey),
      try await api.call(.get, "installations/\(phone.id)", tenant.appKey),
      try await api.call(.patch, "installations/\(phone.id)", phone.credential, body: #"{"token":"\#(token)0"}"#),
      try await api.call(.get, "apps/\(tenant.app)/keys", tenant.accountKey),
      try await api.call(.get, "messages", tenant.appKey), try await api.call(.get, "/metrics"),
    ]
    answers += [
      try await api.call(.get, "installations?cursor=\(receiptToken)", tenant.appKey),
      try await api.call(.get, "messages?\(tenant.appKeyText)=1"),
    ]
    let everything = answers.map { $0.text } + api.log.lines
    for secret in [tenant.appKeyText, keyLine, token, title, TestAPI.operatorToken] {
      #expect(!everything.contains { $0.contains(secret) })
    }
    #expect(!api.log.lines.contains { $0.contains("private-user") || $0.contains(receiptToken) })
    #expect(!answers.contains { $0.text.contains(receiptToken) })
  }
}

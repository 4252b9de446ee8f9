import HTTP
import JSON
import PushCore
import Testing

@testable import PushAPI

@Suite struct TenancyTests {
  @Test func anAccountLivesFromItsOpeningToItsEnd() async throws {
    let api = try await TestAPI.make()
    let made = try await api.call(.post, "accounts", .operator, body: #"{"name":"Example Inc."}"#)
    #expect(made.status == 201)
    #expect(made.text("api_key").hasPrefix("bpk_\(made.text("id"))_"))
    let path = "accounts/\(made.text("id"))"
    let renamed = try await api.call(.patch, path, .operator, body: #"{"name":"Example Ltd."}"#)
    #expect(renamed["name"]?.string == "Example Ltd.")
    let read = try await api.call(.get, path, .operator)
    #expect(read["name"]?.string == "Example Ltd.")
    #expect(read["api_key"] == nil)
    #expect(try await api.call(.delete, path, .operator).status == 204)
    #expect(try await api.call(.get, path, .operator).status == 404)
    #expect(try await api.call(.get, "apps", .bearer(made.text("api_key"))).status == 401)
  }

  @Test func theOperatorMakesAKeyForAnAccountWhoseKeysAreLost() async throws {
    let tenant = try await Tenant.make()
    let path = "accounts/\(tenant.account)/keys"
    let key = try await tenant.api.call(.post, path, .operator, body: #"{"name":"Second","scopes":["apps"]}"#)
    #expect(key.status == 201)
    #expect(key["scopes"] == .array([.string("apps")]))
    #expect(try await tenant.api.call(.get, "apps", .bearer(key.text("api_key"))).status == 200)
    let wrong = try await tenant.api.call(.post, path, .operator, body: #"{"name":"x","scopes":["messages:send"]}"#)
    #expect(wrong.problems == ["/scopes/0 not_allowed"])
  }

  @Test func anAppIsMadeReadRenamedAndDeleted() async throws {
    let tenant = try await Tenant.make()
    let path = "apps/\(tenant.app)"
    let read = try await tenant.api.call(.get, path, tenant.accountKey)
    #expect(read["account_id"]?.string == tenant.account)
    #expect(read["environment"]?.string == "production")
    let renamed = try await tenant.api.call(.patch, path, tenant.accountKey, body: #"{"name":"Shop 2"}"#)
    #expect(renamed["name"]?.string == "Shop 2")
    let fixed = try await tenant.api.call(.patch, path, tenant.accountKey, body: #"{"environment":"development"}"#)
    #expect(fixed.problems.contains("/environment unknown_field"))
    #expect(try await tenant.api.call(.delete, path, tenant.accountKey).status == 204)
    #expect(try await tenant.api.call(.get, path, tenant.accountKey).status == 404)
  }

  @Test func aKeyIsShownOnceAndListedWithoutItsText() async throws {
    let tenant = try await Tenant.make()
    let list = try await tenant.api.call(.get, "apps/\(tenant.app)/keys", tenant.accountKey)
    let key = try #require(list["data"]?.array?.first)
    #expect(key["name"]?.string == "All")
    #expect(key["api_key"] == nil)
    #expect(!list.text.contains("bpk_"))
  }

  @Test func aRotatedKeyHasTheSameRightsAndTheOldOneLivesOn() async throws {
    let tenant = try await Tenant.make()
    let keys = "apps/\(tenant.app)/keys"
    let id = try #require(
      try await tenant.api.call(.get, keys, tenant.accountKey)["data"]?.array?.first?["id"]?.string)
    let next = try await tenant.api.call(.post, "\(keys)/\(id)/rotate", tenant.accountKey)
    #expect(next.status == 201)
    #expect(next.text("id") != id)
    #expect(next["scopes"]?.array?.count == 4)
    for key in [tenant.appKey, .bearer(next.text("api_key"))] {
      #expect(try await tenant.api.call(.get, "messages", key).status == 200)
    }
    let tooLong = try await tenant.api.call(
      .post, "\(keys)/\(id)/rotate", tenant.accountKey, body: #"{"overlap_seconds":604801}"#)
    #expect(tooLong.problems == ["/overlap_seconds out_of_range"])
  }

  @Test(arguments: [
    (#"{"scopes":["messages:send"]}"#, "/name required"), (#"{"name":"x"}"#, "/scopes required"),
    (#"{"name":"x","scopes":[]}"#, "/scopes empty"), (#"{"name":"x","scopes":["apps"]}"#, "/scopes/0 not_allowed"),
    (#"{"name":"x","scopes":["users"],"expires_at":"2020-01-01T00:00:00Z"}"#, "/expires_at in_the_past"),
    (#"{"name":"x","scopes":"messages:send"}"#, "/scopes wrong_type"),
  ])
  func aKeyThatIsNotClearIsRefused(_ body: String, _ problem: String) async throws {
    let tenant = try await Tenant.make()
    let answer = try await tenant.api.call(.post, "apps/\(tenant.app)/keys", tenant.accountKey, body: body)
    #expect(answer.problems == [problem])
  }
}

@Suite struct CredentialTests {
  private static let ids = #""team_id":"TEAM123456","key_id":"KEY1234567","bundle_id":"com.example.shop""#

  private static var document: String {
    #"{\#(ids),"p8":"\#(ShapeInspector.goodKey.split(separator: "\n").joined(separator: #"\n"#))"}"#
  }

  private static func form(_ parts: [(String, String)]) -> [UInt8] {
    Array(
      (parts.map { name, value in
        let file = name == "p8" ? #"; filename="AuthKey.p8""# : ""
        return "--b\r\nContent-Disposition: form-data; name=\"\(name)\"\(file)\r\n\r\n\(value)\r\n"
      }.joined() + "--b--\r\n").utf8)
  }

  private static let parts = [
    ("team_id", "TEAM123456"), ("key_id", "KEY1234567"), ("bundle_id", "com.example.shop"),
    ("p8", ShapeInspector.goodKey),
  ]

  @Test func aKeyIsPutAsJSONReadAndDeleted() async throws {
    let tenant = try await Tenant.make()
    let path = "apps/\(tenant.app)/apns"
    #expect(try await tenant.api.call(.get, path, tenant.accountKey).status == 404)
    let put = try await tenant.api.call(.put, path, tenant.accountKey, body: Self.document)
    #expect(put.status == 200)
    #expect(put["status"]?.string == "unverified")
    #expect(put["fingerprint"]?.string?.count == 64)
    #expect(put["p8"] == nil)
    #expect(put["problem"] == nil)
    let read = try await tenant.api.call(.get, path, tenant.accountKey)
    #expect(read.response.body == put.response.body)
    #expect(try await tenant.api.call(.delete, path, tenant.accountKey).status == 204)
    #expect(try await tenant.api.call(.get, path, tenant.accountKey).status == 404)
  }

  @Test func aKeyIsPutAsAFormWithItsFile() async throws {
    let tenant = try await Tenant.make()
    let answer = try await tenant.api.call(
      .put, "apps/\(tenant.app)/apns", tenant.accountKey, bytes: Self.form(Self.parts),
      contentType: "multipart/form-data; boundary=b")
    #expect(answer.status == 200)
    #expect(answer["team_id"]?.string == "TEAM123456")
  }

  @Test func everythingWrongWithAFormIsToldAtOnce() async throws {
    let tenant = try await Tenant.make()
    let answer = try await tenant.api.call(
      .put, "apps/\(tenant.app)/apns", tenant.accountKey,
      bytes: Self.form([("team_id", "T"), ("team_id", "U"), ("key_id", ""), ("p12", "x"), ("p8", "x")]),
      contentType: "multipart/form-data; boundary=b")
    #expect(
      Set(answer.problems) == [
        "/p12 unknown_field", "/team_id duplicate", "/key_id empty", "/bundle_id required",
      ])
  }

  @Test func aFormThatIsNoneIsRefused() async throws {
    let tenant = try await Tenant.make()
    let answer = try await tenant.api.call(
      .put, "apps/\(tenant.app)/apns", tenant.accountKey, bytes: Array("x".utf8),
      contentType: "multipart/form-data; boundary=b")
    #expect(answer.status == 400)
    #expect(answer.code == "malformed_body")
  }

  @Test func whatTheInspectorFindsIsTheCallersMistake() async throws {
    let tenant = try await Tenant.make()
    let answer = try await tenant.api.call(
      .put, "apps/\(tenant.app)/apns", tenant.accountKey, body: #"{\#(Self.ids),"p8":"hunter2"}"#)
    #expect(answer.status == 400)
    #expect(answer.problems == ["/p8 not_a_key"])
    #expect(!answer.text.contains("hunter2"))
  }

  @Test func aMegabyteOfTextIsNoKey() async throws {
    let tenant = try await Tenant.make()
    let text = String(repeating: "x", count: 1 << 20)
    let answer = try await tenant.api.call(
      .put, "apps/\(tenant.app)/apns", tenant.accountKey, body: #"{\#(Self.ids),"p8":"\#(text)"}"#)
    #expect(answer.status == 413)
  }

  @Test func aHeldCredentialNamesWhatWasRefused() throws {
    let info = APNsCredentialInfo(
      teamID: "TEAM123456", keyID: "KEY1234567", bundleID: "com.example.shop", fingerprint: "", status: .paused,
      checkedAt: nil, problem: Reason(rawValue: "InvalidProviderToken"))
    let answer = TestAnswer(HTTPResponse(status: .ok, body: Answer.json(.ok) { $0.members(of: info) }.body))
    #expect(answer["problem"]?["code"]?.string == "InvalidProviderToken")
    #expect(answer["problem"]?["detail"]?.string?.contains("key KEY1234567 of team TEAM123456") == true)
  }
}

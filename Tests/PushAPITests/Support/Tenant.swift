import HTTP
import JSON
import Testing

/// An account with one app and a key for everything in it, made through the API itself.
struct Tenant {
  let api: TestAPI
  let account: String
  let accountKey: Credential
  let app: String
  let appKey: Credential
  let appKeyText: String

  static func make(_ api: TestAPI, environment: String = "production") async throws -> Tenant {
    let account = try await api.call(.post, "accounts", .operator, body: #"{"name":"Example Inc."}"#)
    try #require(account.status == 201)
    let accountKey = Credential.bearer(account.text("api_key"))
    let app = try await api.call(
      .post, "apps", accountKey, body: #"{"name":"Shop","environment":"\#(environment)"}"#)
    try #require(app.status == 201)
    let key = try await api.call(
      .post, "apps/\(app.text("id"))/keys", accountKey,
      body: """
        {"name":"All","scopes":["messages:send","messages:read","installations:read","installations:write"]}
        """)
    try #require(key.status == 201)
    return Tenant(
      api: api, account: account.text("id"), accountKey: accountKey, app: app.text("id"),
      appKey: .bearer(key.text("api_key")), appKeyText: key.text("api_key"))
  }

  static func make() async throws -> Tenant { try await make(try await TestAPI.make()) }

  /// A phone that has registered; `extra` are further members, with a comma in front.
  func device(_ deviceID: String = "phone-1", token: String = "a1b2c3d4", extra: String = "") async throws -> Phone {
    let answer = try await api.call(
      .post, "installations",
      body: """
        {"app_id":"\(app)","device_id":"\(deviceID)","platform":"ios","token":"\(token)"\(extra)}
        """)
    try #require([200, 201].contains(answer.status), "\(answer.text)")
    return Phone(
      id: answer.text("id"), credential: .device(receiptToken: answer.text("receipt_token"), app: app),
      registered: answer)
  }

  func send(_ body: String, key: Credential? = nil) async throws -> TestAnswer {
    try await api.call(.post, "messages", key ?? appKey, body: body)
  }
}

struct Phone {
  let id: String
  let credential: Credential
  let registered: TestAnswer
}

import HTTP
import JSON
import Testing

@testable import PushAPI

@Suite struct AuthenticationTests {
  /// One call of each plane that needs a credential.
  static let calls: [(HTTPMethod, String)] = [
    (.get, "accounts"), (.get, "apps"), (.get, "messages"), (.post, "receipts"),
    (.delete, "installations/ins_01k0123456789abcdefghjkmnp"),
  ]

  @Test(arguments: calls)
  func noCredentialIsRefusedWithAChallenge(_ method: HTTPMethod, _ path: String) async throws {
    let api = try await TestAPI.make()
    let answer = try await api.call(method, path, body: method == .post ? "{}" : nil)
    #expect(answer.status == 401)
    #expect(answer.code == "unauthenticated")
    #expect(answer.response.fields["WWW-Authenticate"] == #"Bearer realm="bolrach""#)
  }

  @Test(arguments: [
    "", "Basic b3BlcmF0b3I6eA==", "Bearer", "Bearer \(TestAPI.operatorToken) x", "Bearer operator-token-of-the-test",
    "Bearer bpk_app_01k0123456789abcdefghjkmnp_0123456789012345678901234567890123456789012",
  ])
  func aWrongOperatorTokenIsRefused(_ value: String) async throws {
    let api = try await TestAPI.make()
    let answer = try await api.call(.get, "accounts", headers: ["Authorization": value])
    #expect(answer.status == 401)
  }

  @Test func twoAuthorizationFieldsProveNothing() async throws {
    let api = try await TestAPI.make()
    let answer = try await api.call(.get, "accounts", .operator, headers: ["Authorization": "Bearer x"])
    #expect(answer.status == 401)
  }

  @Test func theSchemesNameIsReadWithoutCase() async throws {
    let api = try await TestAPI.make()
    let answer = try await api.call(
      .get, "accounts", headers: ["Authorization": "bearer \(TestAPI.operatorToken)"])
    #expect(answer.status == 200)
  }

  @Test func aKeyOfTheOtherPlaneLacksTheScopeThatIsNamed() async throws {
    let tenant = try await Tenant.make()
    let sending = try await tenant.send(#"{"target":{"type":"user","id":"u"},"title":"x"}"#, key: tenant.accountKey)
    #expect(sending.status == 403)
    #expect(sending.code == "insufficient_scope")
    #expect(sending.text("detail").contains("messages:send"))
    let administering = try await tenant.api.call(.get, "apps", tenant.appKey)
    #expect(administering.status == 403)
    #expect(administering.text("detail").contains("apps"))
  }

  @Test func aKeyWithoutTheScopeIsToldWhichOne() async throws {
    let tenant = try await Tenant.make()
    let key = try await tenant.api.call(
      .post, "apps/\(tenant.app)/keys", tenant.accountKey, body: #"{"name":"Reader","scopes":["messages:read"]}"#)
    let reader = Credential.bearer(key.text("api_key"))
    let answer = try await tenant.send(#"{"target":{"type":"user","id":"u"},"title":"x"}"#, key: reader)
    #expect(answer.status == 403)
    #expect(answer.response.fields["WWW-Authenticate"]?.contains(#"scope="messages:send""#) == true)
    #expect(try await tenant.api.call(.get, "messages", reader).status == 200)
  }

  @Test func aWrongSecretOfARightOwnerIsRefused() async throws {
    let tenant = try await Tenant.make()
    let last = tenant.appKeyText.last == "a" ? "b" : "a"
    let answer = try await tenant.api.call(.get, "messages", .bearer(String(tenant.appKeyText.dropLast()) + last))
    #expect(answer.status == 401)
  }

  @Test func aRevokedKeyIsRefused() async throws {
    let tenant = try await Tenant.make()
    let keys = try await tenant.api.call(.get, "apps/\(tenant.app)/keys", tenant.accountKey)
    let id = try #require(keys["data"]?.array?.first?["id"]?.string)
    let revoked = try await tenant.api.call(.delete, "apps/\(tenant.app)/keys/\(id)", tenant.accountKey)
    #expect(revoked.status == 204)
    #expect(try await tenant.api.call(.get, "messages", tenant.appKey).status == 401)
  }

  @Test func aSuspendedAccountsKeysAreRefusedAndComeBack() async throws {
    let tenant = try await Tenant.make()
    let path = "accounts/\(tenant.account)"
    // The key has not been presented yet, so it is in no cache.
    let suspended = try await tenant.api.call(.patch, path, .operator, body: #"{"suspended":true}"#)
    #expect(suspended.status == 200)
    #expect(suspended["suspended_at"]?.string != nil)
    #expect(try await tenant.api.call(.get, "messages", tenant.appKey).status == 401)
    let lifted = try await tenant.api.call(.patch, path, .operator, body: #"{"suspended":false}"#)
    #expect(lifted["suspended_at"]?.isNull == true)
  }

  @Test func aForeignAppAnswersLikeOneThatDoesNotExist() async throws {
    let mine = try await Tenant.make()
    let other = try await Tenant.make(mine.api)
    let unknown = "app_01k0123456789abcdefghjkmnp"
    for path in ["", "/keys", "/apns"] {
      let foreign = try await mine.api.call(.get, "apps/\(other.app)\(path)", mine.accountKey)
      let absent = try await mine.api.call(.get, "apps/\(unknown)\(path)", mine.accountKey)
      #expect(foreign.status == 404)
      #expect(absent.status == 404)
      #expect(foreign.text("detail") == absent.text("detail"))
    }
    let malformed = try await mine.api.call(.get, "apps/not-an-id", mine.accountKey)
    #expect(malformed.status == 404)
  }

  @Test func aReceiptTokenOpensOnlyItsOwnInstallation() async throws {
    let tenant = try await Tenant.make()
    let one = try await tenant.device("one", token: "aa01")
    let two = try await tenant.device("two", token: "aa02")
    #expect(try await tenant.api.call(.delete, "installations/\(two.id)", one.credential).status == 404)
    #expect(
      try await tenant.api.call(.patch, "installations/\(two.id)", one.credential, body: "{}").status == 404)
    #expect(
      try await tenant.api.call(.post, "installations/\(two.id)/login", one.credential, body: #"{"user_id":"eve"}"#)
        .status == 404)
    let read = try await tenant.api.call(.get, "installations/\(two.id)", tenant.appKey)
    #expect(read["status"]?.string == "active")
    #expect(read["user_id"]?.isNull == true)
  }

  @Test func aReceiptTokenIsNothingWithoutItsApp() async throws {
    let tenant = try await Tenant.make()
    let other = try await Tenant.make(tenant.api)
    let phone = try await tenant.device()
    let token = phone.registered.text("receipt_token")
    let path = "installations/\(phone.id)"
    for credential in [Credential.bearer(token), .device(receiptToken: token, app: other.app)] {
      #expect(try await tenant.api.call(.delete, path, credential).status == 401)
    }
  }
}

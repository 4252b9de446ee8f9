import HTTP
import JSON
import Testing

@testable import PushAPI

/// Case 98.
@Suite struct IdempotencyTests {
  private static let body = #"{"target":{"type":"user","id":"u"},"title":"x"}"#

  private func send(_ tenant: Tenant, key: String, body: String = Self.body) async throws -> TestAnswer {
    try await tenant.api.call(.post, "messages", tenant.appKey, body: body, headers: ["Idempotency-Key": key])
  }

  @Test func theSameKeyAndBodyReplayTheFirstAnswer() async throws {
    let tenant = try await Tenant.make()
    let first = try await send(tenant, key: "order-1")
    let second = try await send(tenant, key: "order-1")
    #expect(first.response.fields["Idempotency-Replayed"] == nil)
    #expect(second.status == 202)
    #expect(second.response.fields["Idempotency-Replayed"] == "true")
    #expect(second.text("id") == first.text("id"))
    #expect(second.text("created_at") == first.text("created_at"))
  }

  @Test func orderAndBlanksAreNoDifference() async throws {
    let tenant = try await Tenant.make()
    let first = try await send(
      tenant, key: "k", body: #"{"target":{"type":"user","id":"u"},"title":"x","data":{"a":1,"b":2}}"#)
    let second = try await send(
      tenant, key: "k", body: #"{ "data":{"b":2,"a":1}, "title":"\u0078", "target":{"id":"u","type":"user"} }"#)
    #expect(second.text("id") == first.text("id"))
  }

  @Test func anotherBodyIsRefused() async throws {
    let tenant = try await Tenant.make()
    _ = try await send(tenant, key: "k")
    let other = try await send(tenant, key: "k", body: #"{"target":{"type":"user","id":"u"},"title":"y"}"#)
    #expect(other.status == 422)
    #expect(other.code == "idempotency_key_reused")
  }

  @Test func theKeyMayStandInTheBodyAndIsTheSameKey() async throws {
    let tenant = try await Tenant.make()
    let first = try await send(tenant, key: "k")
    let second = try await tenant.send(#"{"target":{"type":"user","id":"u"},"title":"x","idempotency_key":"k"}"#)
    #expect(second.text("id") == first.text("id"))
    #expect(second.response.fields["Idempotency-Replayed"] == "true")
  }

  @Test func twoDifferentKeysAreRefused() async throws {
    let tenant = try await Tenant.make()
    let answer = try await send(
      tenant, key: "k", body: #"{"target":{"type":"user","id":"u"},"title":"x","idempotency_key":"l"}"#)
    #expect(answer.status == 400)
    #expect(answer.problems == ["/idempotency_key contradiction"])
  }

  @Test(arguments: ["", String(repeating: "k", count: 256), "schlüssel"])
  func aKeyThatIsNoneIsRefused(_ key: String) async throws {
    let tenant = try await Tenant.make()
    let answer = try await send(tenant, key: key)
    #expect(answer.status == 400)
    #expect(answer.problems == ["Idempotency-Key invalid_characters"])
  }

  @Test func twentyAtOnceMakeOneMessage() async throws {
    let tenant = try await Tenant.make()
    let ids = try await withThrowingTaskGroup(of: TestAnswer.self) { group in
      for _ in 0..<20 { group.addTask { try await send(tenant, key: "race") } }
      return try await group.reduce(into: [String]()) { ids, answer in
        #expect(answer.status == 202 || answer.status == 409)
        if answer.status == 202 { ids.append(answer.text("id")) }
      }
    }
    #expect(Set(ids).count == 1)
    #expect(try await tenant.api.call(.get, "messages", tenant.appKey)["data"]?.array?.count == 1)
  }

  @Test func tenantsDoNotShareKeys() async throws {
    let one = try await Tenant.make()
    let two = try await Tenant.make(one.api)
    let first = try await send(one, key: "k")
    let second = try await send(two, key: "k")
    #expect(first.text("id") != second.text("id"))
    #expect(second.response.fields["Idempotency-Replayed"] == nil)
  }
}

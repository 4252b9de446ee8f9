import HTTP
import JSON
import Postgres
import PushCore
import PushStore
import ServiceKit
import TestSupport
import Testing

@testable import PushAPI

/// Case 103: whose fault it is decides the class of the status.
@Suite struct FaultTests {
  /// An API whose database has gone away.
  private func apiWithoutDatabase() async throws -> TestAPI {
    let database = try await TestDatabase.make(.empty)
    let store = PostgresStore(api: database.pool, worker: database.pool, sealer: BoundSealer())
    try await database.drop()
    return try await TestAPI.make(store: store)
  }

  @Test func aDatabaseThatIsAwayIsOurFault() async throws {
    let api = try await apiWithoutDatabase()
    let app = "app_01k0123456789abcdefghjkmnp"
    let key = "bpk_\(app)_0123456789012345678901234567890123456789012"
    let device = Credential.device(
      receiptToken: "brt_" + String(repeating: "0", count: 60), app: app)
    let answers = [
      try await api.call(.get, "accounts", .operator),
      try await api.call(.post, "accounts", .operator, body: #"{"name":"x"}"#),
      try await api.call(.get, "messages", .bearer(key)),
      try await api.call(
        .post, "installations", body: #"{"app_id":"\#(app)","device_id":"d","platform":"ios"}"#),
      try await api.call(.post, "receipts", device, body: "{}"),
    ]
    for answer in answers {
      #expect(answer.status == 503)
      #expect(answer.code == "unavailable")
      #expect(answer.response.fields["Retry-After"] == "2")
      for word in ["SELECT", "INSERT", "Postgres", "pool", "connection"] { #expect(!answer.text.contains(word)) }
    }
    #expect(api.log.lines.contains { $0.contains("http.fault") })
    #expect(!api.log.lines.contains { $0.contains("SELECT") || $0.contains(key) })
  }

  @Test func aCallersMistakeIsTheCallersEvenThen() async throws {
    let api = try await apiWithoutDatabase()
    #expect(try await api.call(.post, "accounts", .operator, body: "{").status == 400)
    #expect(try await api.call(.get, "accounts").status == 401)
    #expect(try await api.call(.get, "nowhere").status == 404)
    #expect(try await api.call(.get, "/healthz").status == 200)
  }

  @Test func everyErrorIsOneDocument() async throws {
    let tenant = try await Tenant.make()
    let answers = [
      try await tenant.api.call(.get, "messages"), try await tenant.api.call(.get, "apps", tenant.appKey),
      try await tenant.api.call(.get, "nowhere"), try await tenant.api.call(.put, "messages"),
      try await tenant.api.call(.get, "messages/x", tenant.appKey), try await tenant.send("{"),
      try await tenant.send("{}"),
    ]
    #expect(answers.map(\.status) == [401, 403, 404, 405, 404, 400, 400])
    for answer in answers {
      #expect(answer.response.fields["Content-Type"] == "application/problem+json")
      #expect(
        answer.json.object?.members.map(\.name) == [
          "type", "title", "status", "code", "detail", "errors", "request_id",
        ])
      #expect(answer["status"]?.number?.int64 == Int64(answer.status))
      #expect(answer["request_id"]?.string == answer.response.fields["X-Request-ID"])
    }
  }

  @Test func aMethodThatAPathDoesNotTakeIsToldWhichOnesItDoes() async throws {
    let api = try await TestAPI.make()
    let wrong = try await api.call(.put, "messages")
    #expect(wrong.status == 405)
    #expect(wrong.response.fields["Allow"] == "GET, HEAD, POST, OPTIONS")
    let asked = try await api.call(.options, "messages")
    #expect(asked.status == 204)
    #expect(asked.response.fields["Allow"] == "GET, HEAD, POST, OPTIONS")
  }

  @Test(arguments: [
    "segments", "users/u", "channels", "live_activities/start", "messages/msg_01k0123456789abcdefghjkmnp/cancel",
    "events", "audit", "messages/", "Messages",
  ])
  func whatIsNotThereIsNotFound(_ path: String) async throws {
    let api = try await TestAPI.make()
    let answer = try await api.call(.get, path)
    #expect(answer.status == 404)
    #expect(answer.code == "unknown_route")
  }

  /// Every problem has a status, a code and a sentence, and none of ours is a client's class or the other way round.
  @Test(arguments: [
    (APIProblem.unavailable, 503), (.notReady("x"), 503), (.rateLimited(retryAfter: 1), 429),
    (.idempotencyKeyReused, 422), (.unsupportedMediaType(accepted: "x"), 415), (.bodyTooLarge(maximum: 1), 413),
    (.conflict("x"), 409), (.staleIdentity, 409), (.methodNotAllowed(allow: [.get]), 405), (.notFound, 404),
    (.unknownRoute, 404), (.forbidden(needs: .apps), 403), (.unauthenticated(.appKey), 401), (.invalid([]), 400),
  ])
  func eachProblemHasOneStatus(_ problem: APIProblem, _ status: Int) {
    let envelope = ErrorEnvelope(problem: problem)
    #expect(Int(envelope.status.code) == status)
    #expect(!envelope.code.isEmpty)
    #expect(envelope.detail.hasSuffix(".") || envelope.detail.hasSuffix("x"))
    #expect(envelope.fields.contains("Retry-After") == (status == 503 || status == 429))
  }

  @Test func whatAStoreRefusesIsTheCallersAndWhatItThrowsIsOurs() {
    struct Fault: Error {}
    #expect(APIProblem(thrown: StoreRefusal.notFound) == .notFound)
    #expect(APIProblem(thrown: StoreRefusal.staleIdentity) == .staleIdentity)
    #expect(APIProblem(thrown: StoreRefusal.conflict("key_not_live")) == .conflict("key_not_live"))
    #expect(APIProblem(thrown: Fault()) == .unavailable)
    #expect(APIProblem(thrown: CancellationError()) == .unavailable)
    #expect(APIProblem.isFault(Fault()))
    #expect(!APIProblem.isFault(StoreRefusal.notFound))
  }
}

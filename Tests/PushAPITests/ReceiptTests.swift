import HTTP
import JSON
import PushCore
import PushStore
import Testing

@testable import PushAPI

@Suite struct ReceiptTests {
  /// A phone and the delivery id that a push of this message to it carries.
  private struct Delivered {
    let tenant: Tenant
    let phone: Phone
    let message: MessageID
    let delivery: DeliveryID

    static func make() async throws -> Delivered {
      let tenant = try await Tenant.make()
      let phone = try await tenant.device()
      let sent = try await tenant.send(#"{"target":{"type":"installation","id":"\#(phone.id)"},"title":"x"}"#)
      let message = try #require(MessageID(sent.text("id")))
      return Delivered(
        tenant: tenant, phone: phone, message: message,
        delivery: try await Self.delivery(of: message, to: phone, in: tenant))
    }

    static func delivery(of message: MessageID, to phone: Phone, in tenant: Tenant) async throws -> DeliveryID {
      let app = try #require(AppID(tenant.app))
      let worker = TenantScope(working: WorkerAuthority(worker: .make()), for: app)
      let signer = try await tenant.api.store.signer(for: worker)
      let installation = try #require(InstallationID(phone.id))
      return DeliveryID(message: message, proof: signer.sign(message: message, installation: installation).proof)
    }

    func report(_ body: String) async throws -> TestAnswer {
      try await tenant.api.call(.post, "receipts", phone.credential, body: body)
    }

    func receipt(_ event: String = "opened", delivery: DeliveryID? = nil, extra: String = "") -> String {
      """
      {"installation_id":"\(phone.id)","delivery_id":"\(delivery ?? self.delivery)","event":"\(event)"\(extra)}
      """
    }
  }

  @Test func theContractsExampleIsTaken() async throws {
    let delivered = try await Delivered.make()
    let answer = try await delivered.report(delivered.receipt())
    #expect(answer.status == 202)
    #expect(answer.text == #"{"accepted":1,"refused":0,"results":[{"index":0,"status":"accepted"}]}"#)
  }

  @Test(arguments: ["delivered", "opened", "dismissed", "action"])
  func everyEventIsTaken(_ event: String) async throws {
    let delivered = try await Delivered.make()
    let extra = event == "action" ? #","action":"REPLY","occurred_at":"2026-12-01T09:00:00+01:00""# : ""
    #expect(try await delivered.report(delivered.receipt(event, extra: extra)).status == 202)
  }

  // Case 96: each stands for itself.
  @Test func oneWrongReceiptLeavesTheOthersAlone() async throws {
    let delivered = try await Delivered.make()
    let forged = DeliveryID(message: delivered.message, proof: delivered.delivery.proof ^ 1)
    let answer = try await delivered.report(
      """
      {"receipts":[\(delivered.receipt("delivered")),\(delivered.receipt(delivery: forged)),
       \(delivered.receipt("tapped")),7,\(delivered.receipt("opened"))]}
      """)
    #expect(answer.status == 202)
    #expect(answer["accepted"]?.number?.int64 == 2)
    #expect(answer["refused"]?.number?.int64 == 3)
    let results = answer["results"]?.array ?? []
    #expect(
      results.map { $0["status"]?.string } == ["accepted", "refused", "refused", "refused", "accepted"])
    #expect(results.map { $0["index"]?.number?.int64 } == [0, 1, 2, 3, 4])
    let pointers = results.map { $0["errors"]?.array?.first?["pointer"]?.string }
    #expect(pointers == [nil, "/receipts/1/delivery_id", "/receipts/2/event", "/receipts/3", nil])
  }

  @Test func aForgedProofAloneIsTheCallersMistake() async throws {
    let delivered = try await Delivered.make()
    let forged = DeliveryID(message: delivered.message, proof: 0)
    let answer = try await delivered.report(delivered.receipt(delivery: forged))
    #expect(answer.status == 400)
    #expect(answer.problems == ["/delivery_id not_yours"])
  }

  @Test func aProofForAnotherPhoneIsRefused() async throws {
    let delivered = try await Delivered.make()
    let other = try await delivered.tenant.device("phone-2", token: "beef")
    let foreign = try await Delivered.delivery(of: delivered.message, to: other, in: delivered.tenant)
    let answer = try await delivered.report(delivered.receipt(delivery: foreign))
    #expect(answer.problems == ["/delivery_id not_yours"])
  }

  @Test func anotherInstallationThanTheTokensIsRefused() async throws {
    let delivered = try await Delivered.make()
    let other = try await delivered.tenant.device("phone-2", token: "beef")
    let answer = try await delivered.tenant.api.call(
      .post, "receipts", other.credential, body: delivered.receipt())
    #expect(answer.status == 400)
    #expect(answer.problems == ["/installation_id not_yours"])
  }

  @Test(arguments: [
    (#"{}"#, ["/installation_id required", "/delivery_id required", "/event required"]),
    (#"{"receipts":[]}"#, ["/receipts empty"]), (#"{"receipts":null}"#, ["/receipts required"]),
    (#"{"receipts":{}}"#, ["/receipts wrong_type"]),
    (#"{"receipts":[{}],"event":"opened"}"#, ["/event unknown_field"]),
  ])
  func aReportThatIsNotClearIsRefused(_ body: String, _ problems: [String]) async throws {
    let delivered = try await Delivered.make()
    let answer = try await delivered.report(body)
    #expect(answer.status == 400)
    #expect(answer.problems == problems)
  }

  @Test func aHundredAreTakenAndOneMoreIsNot() async throws {
    let delivered = try await Delivered.make()
    let hundred = Array(repeating: delivered.receipt(), count: 100)
    let taken = try await delivered.report(#"{"receipts":[\#(hundred.joined(separator: ","))]}"#)
    #expect(taken["accepted"]?.number?.int64 == 100)
    let over = hundred + [delivered.receipt()]
    let refused = try await delivered.report(#"{"receipts":[\#(over.joined(separator: ","))]}"#)
    #expect(refused.problems == ["/receipts too_many"])
  }

  @Test func onlyAnActionNamesAButton() async throws {
    let delivered = try await Delivered.make()
    let answer = try await delivered.report(delivered.receipt("opened", extra: #","action":"REPLY""#))
    #expect(answer.problems == ["/action contradiction"])
  }
}

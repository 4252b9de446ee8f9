internal import JSON
internal import PushCore

/// What phones report of pushes.
///
/// One receipt, or a list of them in which each stands for itself: what is wrong with one leaves the others alone.
struct ReceiptResource: Sendable {
  let messages: any MessageStore
  let keyring: any Keyring

  func report(_ call: Call, as device: DeviceScope) async throws -> Answer {
    try call.requireJSON()
    let items = try Self.items(try call.document(BodyLimit.ordinary))
    let signer = try await keyring.signer(for: device.tenant)
    let results = items.map { Self.check($0, device, signer) }
    let receipts = results.compactMap { try? $0.get() }
    // With nothing left to keep, "accepted" would be a lie.
    guard !receipts.isEmpty else { throw APIProblem.invalid(results.flatMap(\.problems)) }
    try await messages.record(receipts, as: device)
    return Self.answer(results, accepted: receipts.count)
  }

  private struct Item {
    let value: JSONValue
    let pointer: JSONPointer
  }

  private static func items(_ body: JSONObject) throws(APIProblem) -> [Item] {
    guard body["receipts"] != nil else { return [Item(value: .object(body), pointer: .root)] }
    let problems = ProblemList()
    let fields = FieldReader(body, known: ["receipts"], problems)
    fields.require("receipts")
    let items = fields.list("receipts", 1...FieldLimit.receipts) { Item(value: $0.value, pointer: $0.pointer) }
    guard problems.isEmpty else { throw .invalid(problems.problems) }
    return items
  }

  private static func check(
    _ item: Item, _ device: DeviceScope, _ signer: any DeliverySigner
  ) -> Result<Receipt, FieldProblems> {
    let problems = ProblemList()
    let value = ValueReader(value: item.value, pointer: item.pointer, problems: problems)
    guard let fields = value.object(known: ReceiptRequest.known) else {
      return .failure(FieldProblems(problems.problems))
    }
    let request = ReceiptRequest(fields)
    guard problems.isEmpty else { return .failure(FieldProblems(problems.problems)) }
    if request.installation != device.installation {
      fields.report("installation_id", "not_yours", "The receipt token is another installation's.")
    } else if !isProved(request, signer) {
      fields.report("delivery_id", "not_yours", "This is not the delivery_id of a push to this installation.")
    }
    guard problems.isEmpty else { return .failure(FieldProblems(problems.problems)) }
    return .success(
      Receipt(
        message: request.delivery.message, installation: device.installation, kind: request.kind,
        occurredAt: request.occurredAt, action: request.action))
  }

  /// Exclusive or and one comparison with zero: the time says nothing about how many bits were right.
  private static func isProved(_ request: ReceiptRequest, _ signer: any DeliverySigner) -> Bool {
    let expected = signer.sign(message: request.delivery.message, installation: request.installation)
    return expected.proof ^ request.delivery.proof == 0
  }

  private static func answer(_ results: [Result<Receipt, FieldProblems>], accepted: Int) -> Answer {
    .json(.accepted) { body in
      body.member("accepted", accepted)
      body.member("refused", results.count - accepted)
      body.name("results")
      body.array { list in
        for (index, result) in results.enumerated() { list.object { Self.write(result, at: index, to: &$0) } }
      }
    }
  }

  private static func write(_ result: Result<Receipt, FieldProblems>, at index: Int, to writer: inout JSONWriter) {
    writer.member("index", index)
    switch result {
    case .success: writer.member("status", "accepted")
    case .failure(let faults):
      writer.member("status", "refused")
      writer.member("errors", faults.problems)
    }
  }
}

extension Result<Receipt, FieldProblems> {
  fileprivate var problems: [FieldProblem] {
    switch self {
    case .success: []
    case .failure(let faults): faults.problems
    }
  }
}

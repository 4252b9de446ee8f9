internal import HTTP
internal import JSON
internal import PushCore

/// Messages, for an app's senders.
struct MessageResource: Sendable {
  let messages: any MessageStore
  let provider: any PushProvider
  let cursors: CursorCodec

  func create(_ call: Call, in scope: TenantScope) async throws -> Answer {
    try call.requireJSON()
    let document = try call.document(BodyLimit.message)
    let request = try draft(document)
    guard request.app == nil || request.app == scope.app else { throw APIProblem.notFound }
    let claim = try IdempotencyKey.claim(call.request.fields, bodyKey: request.idempotencyKey, body: document)
    switch try await messages.create(request.draft, idempotency: claim, in: scope) {
    case .created(let message):
      return .json(.accepted) { $0.members(of: message, in: scope.app) }
    case .replayed(let message):
      var answer = Answer.json(.accepted) { $0.members(of: message, in: scope.app) }
      answer.fields.append("Idempotency-Replayed", "true")
      return answer
    case .keyReused:
      throw APIProblem.idempotencyKeyReused
    }
  }

  func list(_ call: Call, in scope: TenantScope) async throws -> Answer {
    let query = try ListQuery(call, owner: scope.app.description, cursors: cursors)
    let page = try await messages.messages(query.page, in: scope)
    return .list(page, query, cursors) { $0.members(of: $1, in: scope.app) }
  }

  func read(_ call: Call, in scope: TenantScope) async throws -> Answer {
    let report = try await messages.message(try call.id(), in: scope)
    return .json(.ok) { $0.members(of: report, in: scope.app) }
  }

  func deliveries(_ call: Call, in scope: TenantScope) async throws -> Answer {
    let id: MessageID = try call.id()
    let query = try ListQuery(
      call, owner: scope.app.description, filters: ["status", "user_id"], cursors: cursors)
    let state = try query.choice("status", DeliveryState.allCases.map { ($0.word, $0) })
    let userID = try query.identifier("user_id")
    let page = try await messages.deliveries(of: id, state: state, userID: userID, query.page, in: scope)
    return .list(page, query, cursors) { $0.members(of: $1) }
  }

  /// Types and bounds, and on top of them what the provider would refuse: all told at once.
  private func draft(_ document: JSONObject) throws(APIProblem) -> MessageRequest {
    let (request, own) = RequestDecoding.read(MessageRequest.self, from: document)
    let known = Set(own.map(\.pointer))
    // Where a value was refused already, a stand-in took its place, and what is said about that is nobody's concern.
    let further = provider.problems(in: request.draft).filter { !known.contains($0.pointer) }
    guard own.isEmpty, further.isEmpty else { throw .invalid(own + further) }
    return request
  }
}

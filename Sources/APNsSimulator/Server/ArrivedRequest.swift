/// A complete request on its way through the simulator.
struct ArrivedRequest: Sendable {
  let connection: UInt64
  let stream: Int32
  let headers: [HeaderLine]
  let fields: RequestHeaders
  let body: [UInt8]
  /// Milliseconds since 1970.
  let receivedAt: Int64
  /// The `apns-id` of the answer: the request's own when it is one, else made up. Every answer has one.
  let answerID: [UInt8]

  init(connection: UInt64, stream: Int32, headers: [HeaderLine], body: [UInt8], receivedAt: Int64) {
    var fields = RequestHeaders()
    for line in headers { fields.add(name: line.name, value: line.value) }
    self.connection = connection
    self.stream = stream
    self.headers = headers
    self.fields = fields
    self.body = body
    self.receivedAt = receivedAt
    if let id = fields.messageID, MessageID.isValid(id) { answerID = id } else { answerID = MessageID.random() }
  }

  private static let idName = Array("apns-id".utf8)
  private static let uniqueIDName = Array("apns-unique-id".utf8)

  /// Apple's bytes: `:status` and `apns-id`, in the sandbox also `apns-unique-id` on success; a body on errors only.
  func answer(to verdict: RequestJudge.Verdict, on environment: SimulatedEnvironment) -> WireAnswer {
    let id = HeaderLine(name: Self.idName, value: answerID)
    switch verdict {
    case .refused(let refusal):
      return WireAnswer(status: refusal.reason.status, headers: [id], body: refusal.body)
    case .accepted, .scripted:
      guard environment == .sandbox else { return WireAnswer(status: 200, headers: [id], body: []) }
      let unique = HeaderLine(name: Self.uniqueIDName, value: MessageID.random())
      return WireAnswer(status: 200, headers: [id, unique], body: [])
    }
  }

  func answer(_ scripted: ScriptedAnswer) -> WireAnswer {
    let id = HeaderLine(name: Self.idName, value: answerID)
    return WireAnswer(status: scripted.status, headers: [id] + scripted.headers, body: scripted.body)
  }
}

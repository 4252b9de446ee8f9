internal import HTTP2

/// A complete request on its way through the simulator.
struct ArrivedRequest: Sendable {
  let connection: UInt64
  let stream: Int32
  let headers: [HeaderLine]
  let fields: RequestHeaders
  let body: [UInt8]
  /// Milliseconds since 1970.
  let receivedAt: Int64
  /// Larger than `body` when the session did not keep all of it.
  let bodyLength: Int
  /// The `apns-id` of the answer: the request's own when it is one, else made up. Every answer has one.
  let answerID: [UInt8]

  /// Takes a copy: the session uses its request again.
  init(_ request: HTTP2ServerRequest, connection: UInt64, at now: Int64) {
    var fields = RequestHeaders()
    var headers: [HeaderLine] = []
    headers.reserveCapacity(request.fieldCount)
    for index in 0..<request.fieldCount {
      let (name, value) = request.field(index)
      fields.add(name: name, value: value)
      headers.append(HeaderLine(name: name, value: value))
    }
    self.connection = connection
    stream = request.stream
    self.headers = headers
    self.fields = fields
    body = request.body
    bodyLength = request.fault == .bodyTooLarge ? request.body.count + Self.surplus : request.body.count
    receivedAt = now
    if let id = fields.messageID, MessageID.isValid(id) { answerID = id } else { answerID = MessageID.random() }
  }

  /// Enough to be too large for any push type.
  private static let surplus = 64 << 10

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

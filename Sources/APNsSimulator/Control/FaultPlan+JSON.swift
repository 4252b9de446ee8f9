internal import JSON

extension FaultPlan {
  private static let milliseconds: ClosedRange<Int64> = 0...3_600_000

  /// The body of `PUT /faults`. Everything is optional; what is left out is not a fault.
  init(json: JSONValue) throws(SimulatorError) {
    self.init()
    var fields = try JSONFields(json, at: "faults")
    latency = try Self.latency(&fields)
    if let connections: ConnectionFault = try fields.word("connections") { self.connections = connections }
    for (index, rule) in try (fields.array("rules") ?? []).enumerated() {
      rules.append(try FaultRule(json: rule, at: "faults.rules[\(index)]"))
    }
    try fields.end()
  }

  /// `"latency_ms": 30` or `"latency_ms": [10, 50]`.
  private static func latency(_ fields: inout JSONFields) throws(SimulatorError) -> Latency {
    guard let value = fields.value("latency_ms") else { return .none }
    if let bounds = value.array {
      guard bounds.count == 2, let low = bounds[0].number?.int64, let high = bounds[1].number?.int64, low <= high,
        milliseconds.contains(low), milliseconds.contains(high)
      else { throw fields.wrong("latency_ms", "two milliseconds, the smaller first") }
      return .uniform(milliseconds: Int(low)...Int(high))
    }
    guard let fixed = try fields.integer("latency_ms", in: milliseconds) else { return .none }
    return .fixed(milliseconds: Int(fixed))
  }
}

extension FaultRule {
  fileprivate init(json: JSONValue, at place: String) throws(SimulatorError) {
    var fields = try JSONFields(json, at: place)
    let every = try fields.integer("every", in: 1...1_000_000_000) ?? 1
    let limit = try fields.integer("limit", in: 0...1_000_000_000)
    let prefix = try fields.string("token_prefix") ?? ""
    let action = try FaultAction(&fields)
    try fields.end()
    self.init(action, every: Int(every), limit: limit.map { Int($0) }, tokenPrefix: prefix.lowercased())
  }
}

extension FaultAction {
  private enum Word: String, CaseIterable {
    case answer, hold, ignore, reset
    case loseAnswer = "lose_answer"
    case close
    case blackHole = "black_hole"
    case goAway = "goaway"
  }

  fileprivate init(_ fields: inout JSONFields) throws(SimulatorError) {
    guard let word: Word = try fields.word("action") else { throw fields.missing("action") }
    switch word {
    case .answer: self = .answer(try ScriptedAnswer(&fields))
    case .hold:
      guard let time = try fields.integer("milliseconds", in: 0...3_600_000) else {
        throw fields.missing("milliseconds")
      }
      self = .hold(milliseconds: Int(time))
    case .ignore: self = .ignore
    case .reset: self = .reset(code: UInt32(try fields.integer("code", in: 0...0xffff_ffff) ?? 2))
    case .loseAnswer: self = .loseAnswer
    case .close: self = .closeConnection
    case .blackHole: self = .blackHole
    case .goAway: self = .goAway(try GoAwayScript(&fields))
    }
  }
}

extension ScriptedAnswer {
  /// `reason` (with `timestamp`) brings its status and body; else `status` with `body`, or `body_bytes` of filling.
  fileprivate init(_ fields: inout JSONFields) throws(SimulatorError) {
    if let reason: RefusalReason = try fields.word("reason") {
      let time = try fields.integer("timestamp", in: 0...Int64.max)
      self.init(Refusal(reason, timestamp: time))
    } else {
      self.init(status: 200)
    }
    // Below 200 an answer is not final, and above 599 nghttp2 refuses it.
    if let status = try fields.integer("status", in: 200...599) { self.status = Int(status) }
    if let text = try fields.string("body") { body = Array(text.utf8) }
    if let count = try fields.integer("body_bytes", in: 0...(64 << 20)) {
      body = [UInt8](repeating: UInt8(ascii: "x"), count: Int(count))
    }
    guard let lines = fields.value("headers") else { return }
    guard let object = lines.object else { throw fields.wrong("headers", "an object of strings") }
    for member in object.members {
      guard let value = member.value.string else { throw fields.wrong("headers", "an object of strings") }
      headers.append(HeaderLine(member.name.lowercased(), value))
    }
  }
}

extension GoAwayScript {
  /// `last_stream`: a number, `"newest"` or `"announcement"`; `code`; `debug`; `ending`.
  init(_ fields: inout JSONFields) throws(SimulatorError) {
    self.init()
    if let value = fields.value("last_stream") {
      switch value.string {
      case "newest": lastStream = .newest
      case "announcement": lastStream = .announcement
      default:
        guard let number = value.number?.int64, (0...Int64(Int32.max)).contains(number) else {
          throw fields.wrong("last_stream", "\"newest\", \"announcement\" or a stream number")
        }
        lastStream = .number(Int32(number))
      }
    }
    if let code = try fields.integer("code", in: 0...0xffff_ffff) { self.code = UInt32(code) }
    if let text = try fields.string("debug") { debugData = Array(text.utf8) }
    if let ending: Ending = try fields.word("ending") { self.ending = ending }
  }
}

/// What a connection is to do about a request: decided in one place, done on the connection's loop.
struct Reaction: Sendable {
  enum Step: Sendable {
    case answer(WireAnswer)
    case goAwayThenAnswer(GoAwayScript, WireAnswer)
    case ignore
    case reset(code: UInt32)
    case cutConnection
    case blackHole
  }

  let step: Step
  /// Before an answer goes out; the other steps happen at once.
  var delayMilliseconds = 0
  let outcome: RecordedRequest.Outcome
  /// What the phone gets, also where the sender never hears of it.
  let accepted: PushFields?
}

/// An answer as it goes on the wire. No body is a HEADERS frame with END_STREAM.
struct WireAnswer: Sendable {
  let status: Int
  /// Behind `:status`.
  let headers: [HeaderLine]
  let body: [UInt8]
}

extension Reaction {
  /// Puts together what the checks say and what the fault (a rule's, or else the device token's own) makes of it.
  init(
    to request: ArrivedRequest, verdict: RequestJudge.Verdict, fault: FaultAction?,
    on environment: SimulatedEnvironment
  ) {
    let judged = request.answer(to: verdict, on: environment)
    let answered = RecordedRequest.Outcome.answered(status: judged.status, reason: verdict.reason?.rawValue)
    switch fault ?? verdict.script {
    case nil:
      self.init(step: .answer(judged), outcome: answered, accepted: verdict.accepted)
    case .answer(let scripted):
      self.init(
        step: .answer(request.answer(scripted)), outcome: .answered(status: scripted.status, reason: nil),
        accepted: scripted.status == 200 ? verdict.accepted : nil)
    case .hold(let milliseconds):
      self.init(
        step: .answer(judged), delayMilliseconds: milliseconds, outcome: answered, accepted: verdict.accepted)
    case .goAway(let script):
      self.init(step: .goAwayThenAnswer(script, judged), outcome: answered, accepted: verdict.accepted)
    case .ignore: self.init(step: .ignore, outcome: .ignored, accepted: nil)
    case .reset(let code): self.init(step: .reset(code: code), outcome: .reset(code: code), accepted: nil)
    case .loseAnswer:
      self.init(step: .cutConnection, outcome: .answerLost(status: judged.status), accepted: verdict.accepted)
    case .closeConnection: self.init(step: .cutConnection, outcome: .connectionCut, accepted: nil)
    case .blackHole: self.init(step: .blackHole, outcome: .ignored, accepted: nil)
    }
  }
}

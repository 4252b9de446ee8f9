/// Judges one request after another as one environment of Apple's would. Has no state of its own; the connection's is the
/// gate that is handed in, and runs on the connection's loop.
struct RequestJudge: Sendable {
  let environment: SimulatedEnvironment
  let authority: TokenAuthority
  let devices: DeviceDirectory

  enum Verdict {
    case accepted(PushFields)
    /// Would be accepted, if the device token did not ask for this instead.
    case scripted(FaultAction, PushFields)
    case refused(Refusal)

    var accepted: PushFields? {
      switch self {
      case .accepted(let fields), .scripted(_, let fields): fields
      case .refused: nil
      }
    }

    var script: FaultAction? {
      guard case .scripted(let action, _) = self else { return nil }
      return action
    }

    var reason: RefusalReason? {
      guard case .refused(let refusal) = self else { return nil }
      return refusal.reason
    }
  }

  /// - Parameter fault: asked for the fault rule that meets this device token, once the credentials have been judged.
  func judge(
    _ headers: RequestHeaders, bodyLength: Int, gate: inout ConnectionGate, now: Int64,
    fault: (ArraySlice<UInt8>) -> FaultAction?
  ) -> (verdict: Verdict, fault: FaultAction?) {
    var met: FaultAction?
    do throws(Refusal) {
      let token = try RequestCheck.route(headers)
      let admission = Result { () throws(Refusal) in
        try gate.admit(headers, at: now, on: environment, by: authority)
      }
      met = fault(token)
      let fields = try check(headers, token: token, bodyLength: bodyLength, credential: admission.get())
      return (try scripted(fields, now: now), met)
    } catch {
      return (.refused(error), met)
    }
  }

  private func check(
    _ headers: RequestHeaders, token: ArraySlice<UInt8>, bodyLength: Int, credential: VerifiedToken
  ) throws(Refusal) -> PushFields {
    var fields = try RequestCheck.fields(headers)
    fields.bundleID = PushKind.bundleID(inTopic: fields.topic)
    guard credential.topics.permits(fields.bundleID) else { throw Refusal(.topicDisallowed) }
    if let kind = fields.kind, kind.bundleID(inTopic: fields.topic) != fields.bundleID {
      throw Refusal(.topicDisallowed)
    }
    try RequestCheck.body(length: bodyLength, fields: fields)
    fields.token = try RequestCheck.token(token)
    try devices.check(fields.token, bundleID: fields.bundleID, on: environment)
    return fields
  }

  private func scripted(_ fields: PushFields, now: Int64) throws(Refusal) -> Verdict {
    switch ScriptedTokens.script(for: fields.token) {
    case nil: return .accepted(fields)
    case .perform(let action): return .scripted(action, fields)
    case .refuse(let reason, .none): throw Refusal(reason)
    case .refuse(let reason, .now): throw Refusal(reason, timestamp: now)
    case .refuse(let reason, .seconds(let age)): throw Refusal(reason, timestamp: now - age * 1000)
    }
  }
}

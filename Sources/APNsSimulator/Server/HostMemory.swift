/// What one environment remembers. A value inside ``HostBook``'s lock.
struct HostMemory: Sendable {
  var faults = FaultEngine()
  private(set) var log: RequestLog
  private(set) var screens: PhoneScreens
  private(set) var statistics = SimulatorStatistics()
  private var authorizations: Set<[UInt8]> = []
  private var requestCount: UInt64 = 0

  /// Distinct `authorization` values are told apart up to that many.
  private static let maximumAuthorizations = 10_000

  init(record: RequestLog.Limits, screens: SimulatorConfiguration.ScreenLimits) {
    log = RequestLog(limits: record)
    self.screens = PhoneScreens(maximumTokens: screens.tokens, maximumPushes: screens.pushesPerToken)
  }

  mutating func write(_ request: ArrivedRequest, _ outcome: RecordedRequest.Outcome) {
    requestCount += 1
    statistics.requests += 1
    switch outcome {
    case .answered(let status, let reason):
      statistics.answers[status, default: 0] += 1
      if let reason { statistics.reasons[reason, default: 0] += 1 }
    case .answerLost, .ignored, .reset, .connectionCut: statistics.unanswered += 1
    }
    if let value = request.fields.authorization, authorizations.count < Self.maximumAuthorizations,
      authorizations.insert(value).inserted
    {
      statistics.distinctAuthorizations += 1
    }
    guard !log.isOff else { return }
    log.append(
      RecordedRequest(
        number: requestCount, connection: request.connection, stream: request.stream, headers: request.headers,
        body: request.body, receivedAt: request.receivedAt, outcome: outcome))
  }

  mutating func show(_ push: DeliveredPush, on token: [UInt8]) { screens.show(push, on: token) }

  mutating func connectionOpened() {
    statistics.connectionsAccepted += 1
    statistics.connectionsOpen += 1
  }

  mutating func connectionClosed() { statistics.connectionsOpen -= 1 }

  /// Raw mode counts in bulk.
  mutating func countAccepted(_ requests: Int) {
    statistics.requests += requests
    statistics.answers[200, default: 0] += requests
  }

  /// Forgets requests, phones and counters; open connections stay counted, and requests keep their numbering.
  mutating func reset() {
    log.removeAll()
    screens.removeAll()
    authorizations.removeAll()
    let open = statistics.connectionsOpen
    statistics = SimulatorStatistics()
    statistics.connectionsOpen = open
  }
}

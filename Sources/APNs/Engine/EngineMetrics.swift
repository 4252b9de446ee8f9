internal import PushCore

/// What an engine counts. Counters are the process's; this is the engine's hold on them.
struct EngineMetrics: Sendable {
  func answered(_ answer: ProviderAnswer, count: Int) {}
  func answerTook(_ time: Duration) {}
  func resent() {}
  func connectionOpened() {}
  func connectionClosed() {}
  func connectFailed() {}
}

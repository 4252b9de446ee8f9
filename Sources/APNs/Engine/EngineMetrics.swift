internal import PushCore
internal import ServiceKit

/// What the engines of a process count together: usable from any thread, one atomic addition for each push.
struct EngineMetrics: Sendable {
  private let accepted: Counter
  private let rejected: Counter
  private let retried: Counter
  private let unanswered: Counter
  private let unsent: Counter
  private let held: Counter
  private let expired: Counter
  private let resends: Counter
  private let connections: Gauge
  private let failures: Counter
  private let answers: Histogram

  init(_ metrics: Metrics) {
    func pushes(_ answer: String) -> Counter {
      metrics.counter("bolrach_apns_pushes_total", "Pushes by what became of them.", labels: ["answer": answer])
    }
    accepted = pushes("accepted")
    rejected = pushes("rejected")
    retried = pushes("retry")
    unanswered = pushes("unanswered")
    unsent = pushes("unsent")
    held = pushes("held")
    expired = pushes("expired")
    resends = metrics.counter("bolrach_apns_resends_total", "Pushes sent again at once, with the same id.")
    connections = metrics.gauge("bolrach_apns_connections", "Open connections to Apple.")
    failures = metrics.counter("bolrach_apns_connect_failures_total", "Connections that could not be made.")
    answers = metrics.histogram("bolrach_apns_answer_seconds", "From the sending of a push to Apple's answer.")
  }

  func answered(_ answer: ProviderAnswer, count: Int) {
    switch answer {
    case .accepted: accepted.add(count)
    case .rejected: rejected.add(count)
    case .retry: retried.add(count)
    case .unanswered: unanswered.add(count)
    case .unsent: unsent.add(count)
    case .held: held.add(count)
    case .expired: expired.add(count)
    }
  }

  /// In seconds, gathered: the histogram's lock is taken once for many.
  func answersTook(_ seconds: [Double]) { answers.record(contentsOf: seconds) }
  func resent() { resends.add() }
  func connectionOpened() { connections.add(1) }
  func connectionClosed() { connections.add(-1) }
  func connectFailed() { failures.add() }
}

/// Counters of one host since its start (or since they were reset).
package struct SimulatorStatistics: Sendable, Hashable {
  package var connectionsAccepted = 0
  package var connectionsOpen = 0
  package var requests = 0
  package var answers: [Int: Int] = [:]
  package var reasons: [String: Int] = [:]
  /// Ignored, reset, or lost with their connection.
  package var unanswered = 0
  /// How many different `authorization` values have come; counted up to 10 000.
  package var distinctAuthorizations = 0

  package init() {}
}

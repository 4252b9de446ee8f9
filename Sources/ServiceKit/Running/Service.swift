/// A part of a process that is started, runs, and is stopped.
package protocol Service: Sendable {
  var name: String { get }
  /// Returns when the service is of use to those after it; throws when it cannot be.
  func start() async throws
  /// Ends when the service fails while running. Cancelled when the group stops, and not waited for: it may as well go on until
  /// ``stop()`` has ended what it watches.
  func run() async throws
  /// Ends what is under way; `false` when something had to be abandoned. Called once, after a successful start.
  func stop() async -> Bool
}

extension Service {
  package func run() async throws {
    // Until it is cancelled: most services fail in their calls, not by themselves.
    try await Task.sleep(for: .seconds(86_400 * 365))
  }
}

internal import JSON
internal import PushCore
internal import ServiceKit

/// What probes, scrapers and people ask the process itself.
struct SystemResource: Sendable {
  let readiness: @Sendable () async -> Readiness
  let metrics: @Sendable () -> [UInt8]
  let contract: [UInt8]

  func respond(to endpoint: SystemEndpoint) async throws -> Answer {
    switch endpoint {
    case .health: .json(.ok) { $0.member("status", "ok") }
    case .readiness:
      switch await readiness() {
      case .ready: .json(.ok) { $0.member("status", "ready") }
      case .notReady(let word): throw APIProblem.notReady(word)
      }
    case .metrics: Answer("text/plain; version=0.0.4; charset=utf-8", metrics())
    case .contract: Answer("application/json", contract)
    }
  }
}

/// Whether this process can do its work now.
package enum Readiness: Sendable, Hashable {
  case ready
  /// The word says what is missing, for people: `the database does not answer`. Never an address or a name.
  case notReady(String)
}

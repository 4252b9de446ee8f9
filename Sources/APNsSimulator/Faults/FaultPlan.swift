/// Everything that goes wrong on one host, replaced as a whole. The default: nothing.
package struct FaultPlan: Sendable, Hashable {
  package var latency = Latency.none
  /// The first rule that meets a request wins. Rules are asked after the provider token has been judged (so that the
  /// connection opens its streams as usual) and before everything else.
  package var rules: [FaultRule] = []
  package var connections = ConnectionFault.none

  package init() {}

  package init(_ rules: FaultRule..., latency: Latency = .none, connections: ConnectionFault = .none) {
    self.rules = rules
    self.latency = latency
    self.connections = connections
  }

  /// Time between a request's last byte and its answer, in milliseconds.
  package enum Latency: Sendable, Hashable {
    case none
    case fixed(milliseconds: Int)
    case uniform(milliseconds: ClosedRange<Int>)

    package func milliseconds() -> Int {
      switch self {
      case .none: 0
      case .fixed(let milliseconds): milliseconds
      case .uniform(let range): Int.random(in: range)
      }
    }
  }

  /// What happens to connections that arrive from now on.
  package enum ConnectionFault: String, CaseIterable, Sendable, Hashable {
    case none
    /// Closes as soon as its SETTINGS are out.
    case closeAfterSettings = "close_after_settings"
    /// Completes TLS and then neither reads nor writes.
    case silent
  }
}

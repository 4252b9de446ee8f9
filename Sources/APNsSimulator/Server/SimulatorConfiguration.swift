/// How a simulator is to be. Plain values, copied at its start.
package struct SimulatorConfiguration: Sendable {
  package var mode: Mode
  package var tokenPolicy = TokenPolicy()
  package var streams = StreamLimits()
  /// 0 takes any free port.
  package var sandboxPort: UInt16 = 0
  package var productionPort: UInt16 = 0
  /// The JSON control endpoint; nil is none.
  package var controlPort: UInt16?
  package var record = RequestLog.Limits()
  package var screens = ScreenLimits()
  package var clock = SimulatorClock.system

  package init(mode: Mode = .strict) {
    self.mode = mode
    switch mode {
    case .strict: break
    case .accepting: tokenPolicy.unknownKeys = .trusted
    case .raw:
      record = .off
      screens = .off
    }
  }

  package enum Mode: String, Sendable, Hashable {
    /// Verifies everything.
    case strict
    /// Trusts well-formed tokens of keys that are not registered; otherwise like `strict`.
    case accepting
    /// Answers 200 with the `apns-id` echoed and looks at nothing else; for benchmarks.
    case raw
  }

  /// SETTINGS_MAX_CONCURRENT_STREAMS before and after a connection's first valid token. Apple: 1, then 1000 (seen 2021).
  package struct StreamLimits: Sendable, Hashable {
    package var beforeToken: UInt32 = 1
    package var afterToken: UInt32 = 1000

    package init(beforeToken: UInt32 = 1, afterToken: UInt32 = 1000) {
      self.beforeToken = beforeToken
      self.afterToken = afterToken
    }
  }

  package struct ScreenLimits: Sendable, Hashable {
    package var tokens: Int
    package var pushesPerToken: Int

    package init(tokens: Int = 10_000, pushesPerToken: Int = 100) {
      self.tokens = tokens
      self.pushesPerToken = pushesPerToken
    }

    package static let off = ScreenLimits(tokens: 0, pushesPerToken: 0)
  }
}

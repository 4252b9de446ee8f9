package import Transport

/// Where Apple is and how much is asked of it. Read once, by the composition root.
///
/// A plain value. What makes no sense in it stops ``APNsProvider`` from being made.
package struct APNsSettings: Sendable {
  package struct Endpoint: Sendable, Hashable {
    package var host: String
    package var port: UInt16
    package init(host: String, port: UInt16) {
      self.host = host
      self.port = port
    }
  }

  package var production = Endpoint(host: "api.push.apple.com", port: 443)
  package var sandbox = Endpoint(host: "api.sandbox.push.apple.com", port: 443)
  /// Whose certificates are believed. Verification cannot be switched off.
  package var trust: TLSClientContext.Trust = .systemRoots
  package var connectionsPerPool = 4
  /// Pushes under way on one connection, whatever the server would allow.
  package var streamsPerConnection = 1000
  /// Pools that are kept open; beyond it the one that was used longest ago makes room.
  package var openPools = 1000
  /// From the look-up of the name to the finished handshake.
  package var connectDeadline: Duration = .seconds(10)
  /// How long a push waits for its answer.
  package var answerDeadline: Duration = .seconds(20)
  /// How long pushes wait for a connection that answers before they are given back.
  package var patience: Duration = .seconds(10)
  package var idle: Duration = .seconds(420)
  package init() {}

  func validate() throws(APNsError) {
    for (name, endpoint) in [("production", production), ("sandbox", sandbox)] {
      guard !endpoint.host.isEmpty, endpoint.port > 0 else { throw APNsError(.invalidSetting, "\(name) address") }
    }
    let numbers = [
      ("connections per pool", connectionsPerPool, 64), ("streams per connection", streamsPerConnection, 100_000),
      ("open pools", openPools, 100_000),
    ]
    for (name, value, maximum) in numbers where !(1...maximum).contains(value) {
      throw APNsError(.invalidSetting, "\(name) is \(value), and may be 1 to \(maximum)")
    }
    let durations = [
      ("connect deadline", connectDeadline), ("answer deadline", answerDeadline), ("patience", patience),
      ("idle", idle),
    ]
    for (name, value) in durations where value <= .zero || value > .seconds(86_400) {
      throw APNsError(.invalidSetting, "\(name) is not between zero and a day")
    }
  }

  var poolLimits: Pool.Limits {
    var limits = Pool.Limits()
    limits.state.connections = connectionsPerPool
    limits.state.pushesPerConnection = streamsPerConnection
    limits.state.idle = idle
    limits.state.patience = patience
    limits.answerDeadline = answerDeadline
    return limits
  }
}

/// Why the provider cannot be made. A plain value, safe to show.
package struct APNsError: Error, Sendable, Hashable, CustomStringConvertible {
  package enum Code: String, Sendable, Hashable {
    case invalidSetting, trust
  }

  package let code: Code
  package let detail: String

  init(_ code: Code, _ detail: String) {
    self.code = code
    self.detail = detail
  }

  package var description: String { "APNs \(code.rawValue): \(detail)" }
}

/// The device tokens that one environment knows. A value inside the simulator's lock.
package struct DeviceRegistry: Sendable {
  private var devices: [[UInt8]: Device] = [:]
  package var unknownTokens = UnknownTokens.accepted

  package init() {}

  package enum UnknownTokens: String, Sendable, Hashable { case accepted, refused }

  package struct Device: Sendable, Hashable {
    package var bundleID: String
    package var state: State
  }

  package enum State: Sendable, Hashable {
    case active
    /// Milliseconds since 1970, as the 410 answer tells it.
    case unregistered(since: Int64)
    case expired(since: Int64)
  }

  package func contains(_ token: [UInt8]) -> Bool { devices[token] != nil }

  /// Tokens are lower-case hexadecimal.
  package mutating func set(_ token: [UInt8], bundleID: String, state: State = .active) {
    devices[token] = Device(bundleID: bundleID, state: state)
  }

  package mutating func retireAll(as state: State) {
    for token in devices.keys { devices[token]?.state = state }
  }

  package mutating func removeAll() { devices.removeAll() }

  package func check(_ token: [UInt8], bundleID: String, elsewhere other: DeviceRegistry) throws(Refusal) {
    guard let device = devices[token] else {
      // Nobody's token: what senders probe a credential with.
      guard token.contains(where: { $0 != UInt8(ascii: "0") }) else { throw Refusal(.badDeviceToken) }
      guard unknownTokens == .accepted, !other.contains(token) else { throw Refusal(.badDeviceToken) }
      return
    }
    guard device.bundleID == bundleID else { throw Refusal(.deviceTokenNotForTopic) }
    switch device.state {
    case .active: return
    case .unregistered(let since): throw Refusal(.unregistered, timestamp: since)
    case .expired(let since): throw Refusal(.expiredToken, timestamp: since)
    }
  }
}

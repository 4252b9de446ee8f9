internal import ServiceKit

/// The device tokens of both environments, which a check must see together: a token of the one is a bad token in the other.
///
/// Owned by the simulator; usable from any thread; a value behind a lock.
final class DeviceDirectory: Sendable {
  private let registries = Lock<[SimulatedEnvironment: DeviceRegistry]>([
    .sandbox: DeviceRegistry(), .production: DeviceRegistry(),
  ])

  func check(_ token: [UInt8], bundleID: String, on environment: SimulatedEnvironment) throws(Refusal) {
    try registries.withLock { (all) throws(Refusal) in
      try all[environment]?.check(token, bundleID: bundleID, elsewhere: all[environment.other] ?? DeviceRegistry())
    }
  }

  func update(_ environment: SimulatedEnvironment, _ change: (inout DeviceRegistry) -> Void) {
    registries.withLock { change(&$0[environment, default: DeviceRegistry()]) }
  }
}

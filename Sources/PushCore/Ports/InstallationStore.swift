/// Installations, as devices report them and senders read them. Implemented by the store; usable from any thread. Reports are
/// gathered for a few milliseconds and committed together; a call returns after its commit.
package protocol InstallationStore: Sendable {
  /// Makes an installation or finds it again by its device id, in one step, whoever else does the same. Afterwards the token belongs to
  /// this installation alone: whichever had it is retired as replaced. `knownEpoch`, when given and older than what is
  /// known, refuses the whole report as stale.
  func register(
    _ registration: Registration, identity: IdentityClaim, knownEpoch: Int32?, in scope: TenantScope
  ) async throws -> RegistrationResult

  /// A device's later report on itself.
  func update(_ change: InstallationChange, as device: DeviceScope) async throws -> Installation
  /// Retires it; it receives nothing any more. Idempotent.
  func delete(as device: DeviceScope) async throws
  /// `userID` nil signs out. When the call returns, the device is that person's.
  func setUser(_ userID: String?, knownEpoch: Int32?, as device: DeviceScope) async throws -> Installation

  func installation(_ id: InstallationID, in scope: TenantScope) async throws -> Installation
  func installations(
    userID: String?, _ page: PageRequest, in scope: TenantScope
  ) async throws -> Page<Installation>
}

package struct RegistrationResult: Sendable {
  package let installation: Installation
  package let isNew: Bool
  package init(installation: Installation, isNew: Bool) {
    self.installation = installation
    self.isNew = isNew
  }
}

/// What a device changes about itself; `nil` leaves a field as it is.
package struct InstallationChange: Sendable, Hashable {
  package var token: DeviceToken?
  package var environment: PushEnvironment?
  package var permission: PermissionState?
  package var locale: String?
  package var timezone: String?
  package var appVersion: String?
  package var osVersion: String?
  package var sdkVersion: String?
  package var deviceModel: String?
  package var tags: JSONText?
  package init() {}
}

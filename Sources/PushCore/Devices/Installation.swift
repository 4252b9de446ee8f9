/// One copy of an app on one device, as last reported by it.
package struct Installation: Sendable, Hashable {
  package let id: InstallationID
  package var registration: Registration
  /// Who is signed in there.
  package var userID: String?
  /// Grows with each change of `userID`; a report that names an older one is stale.
  package var identityEpoch: Int32
  package let createdAt: Timestamp
  /// When the token was last confirmed by the device: what a 410's timestamp is compared with.
  package var registeredAt: Timestamp
  package var retirement: Retirement?

  package init(
    id: InstallationID, registration: Registration, userID: String?, identityEpoch: Int32, createdAt: Timestamp,
    registeredAt: Timestamp, retirement: Retirement?
  ) {
    self.id = id
    self.registration = registration
    self.userID = userID
    self.identityEpoch = identityEpoch
    self.createdAt = createdAt
    self.registeredAt = registeredAt
    self.retirement = retirement
  }

  /// Why nothing is sent to it any more. It can be restored for 30 days, and a new registration revives it.
  package struct Retirement: Sendable, Hashable {
    package let at: Timestamp
    package let reason: Reason
    package init(at: Timestamp, reason: Reason) {
      self.at = at
      self.reason = reason
    }
  }
}

/// What a device says of itself when it registers. Fields left out (`nil`) keep what was known.
package struct Registration: Sendable, Hashable {
  /// Chosen by the device, kept by it; the same one is the same installation.
  package var deviceID: String
  package var anonymousID: String?
  package var platform: Platform
  package var token: DeviceToken?
  package var environment: PushEnvironment
  package var permission: PermissionState?
  package var locale: String?
  package var timezone: String?
  package var appVersion: String?
  package var osVersion: String?
  package var sdkVersion: String?
  package var deviceModel: String?
  /// A flat object of strings, numbers and Booleans.
  package var tags: JSONText?

  package init(deviceID: String, platform: Platform = .ios, token: DeviceToken?, environment: PushEnvironment) {
    self.deviceID = deviceID
    self.platform = platform
    self.token = token
    self.environment = environment
  }
}

package enum Platform: String, Sendable, Hashable, CaseIterable {
  case ios, ipados, macos, tvos, watchos, visionos
}

/// What the person allowed. Apple answers 200 for a phone that shows nothing, so only the app can tell.
package enum PermissionState: String, Sendable, Hashable, CaseIterable {
  case granted, provisional, ephemeral, denied
  case notDetermined = "not_determined"
}

/// What a registration says of the person who is signed in.
package enum IdentityClaim: Sendable, Hashable {
  /// The field was left out: whoever is signed in stays.
  case unchanged
  /// `nil` signs out.
  case user(String?)
}

internal import PushCore

/// What a device says of itself, as it waits to be committed with others'.
enum DeviceReport: Sendable, Hashable {
  case register(Registration, IdentityClaim, knownEpoch: Int32?)
  case update(InstallationChange, InstallationID)
  case setUser(String?, knownEpoch: Int32?, InstallationID)
  case delete(InstallationID)
}

/// Where a token may be live once.
struct TokenPlace: Sendable, Hashable {
  let environment: PushEnvironment
  let token: DeviceToken
}

/// The rows that some reports may touch: by device id, by id, and whoever has one of the tokens.
struct ReportedKeys: Sendable {
  private(set) var deviceIDs: Set<String> = []
  private(set) var installations: Set<InstallationID> = []
  private(set) var tokens: Set<TokenPlace> = []

  init(_ reports: [DeviceReport]) {
    for report in reports { insert(report) }
  }

  private mutating func insert(_ report: DeviceReport) {
    switch report {
    case .register(let registration, _, _):
      deviceIDs.insert(registration.deviceID)
      if let token = registration.token { insert(token, registration.environment) }
    case .update(let change, let id):
      installations.insert(id)
      if let token = change.token { insert(token, change.environment) }
    case .setUser(_, _, let id), .delete(let id):
      installations.insert(id)
    }
  }

  /// A change that names no environment means the installation's own, which is not known yet.
  private mutating func insert(_ token: DeviceToken, _ environment: PushEnvironment?) {
    for environment in environment.map({ [$0] }) ?? PushEnvironment.allCases {
      tokens.insert(TokenPlace(environment: environment, token: token))
    }
  }
}

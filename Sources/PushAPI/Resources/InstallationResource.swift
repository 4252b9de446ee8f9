internal import JSON
internal import PushCore

/// Installations: as devices report them, and as senders read them.
struct InstallationResource: Sendable {
  let tenancy: any TenancyStore
  let installations: any InstallationStore
  let keyring: any Keyring
  let cursors: CursorCodec

  func register(_ call: Call) async throws -> Answer {
    let request = try call.decode(RegisterRequest.self)
    guard let app = try await tenancy.publicApp(request.app) else { throw APIProblem.notFound }
    let scope = TenantScope(registeringWith: app)
    let result = try await installations.register(
      request.registration(with: app), identity: request.identity, knownEpoch: request.knownEpoch, in: scope)
    let receiptToken = try await keyring.receiptToken(for: result.installation.id, in: scope)
    return .json(result.isNew ? .created : .ok) {
      $0.member("receipt_token", receiptToken)
      $0.members(of: result.installation)
    }
  }

  // As the device itself.

  func update(_ call: Call, as device: DeviceScope) async throws -> Answer {
    try Self.requireOwn(call, device)
    let request = try call.decode(UpdateInstallationRequest.self)
    return Self.shown(try await installations.update(request.change, as: device))
  }

  func delete(_ call: Call, as device: DeviceScope) async throws -> Answer {
    try Self.requireOwn(call, device)
    try await installations.delete(as: device)
    return .noContent
  }

  func login(_ call: Call, as device: DeviceScope) async throws -> Answer {
    try Self.requireOwn(call, device)
    let request = try call.decode(LoginRequest.self)
    return Self.shown(
      try await installations.setUser(request.userID, knownEpoch: request.knownEpoch, as: device))
  }

  func logout(_ call: Call, as device: DeviceScope) async throws -> Answer {
    try Self.requireOwn(call, device)
    let request = try call.decodeIfPresent(LogoutRequest.self)
    return Self.shown(try await installations.setUser(nil, knownEpoch: request.knownEpoch, as: device))
  }

  // As a sender.

  func list(_ call: Call, in scope: TenantScope) async throws -> Answer {
    let query = try ListQuery(call, owner: scope.app.description, filters: ["user_id"], cursors: cursors)
    let userID = try query.identifier("user_id")
    let page = try await installations.installations(userID: userID, query.page, in: scope)
    return .list(page, query, cursors) { $0.members(of: $1) }
  }

  func read(_ call: Call, in scope: TenantScope) async throws -> Answer {
    Self.shown(try await installations.installation(try call.id(), in: scope))
  }

  /// A receipt token opens only its own installation; any other one is as if it were not there.
  private static func requireOwn(_ call: Call, _ device: DeviceScope) throws(APIProblem) {
    guard try call.id() == device.installation else { throw .notFound }
  }

  private static func shown(_ installation: Installation) -> Answer {
    .json(.ok) { $0.members(of: installation) }
  }
}

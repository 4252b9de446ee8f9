internal import PushCore

/// An account's apps. Whatever lies under one app starts with ``scope(of:_:)``, which proves that the app is the account's.
struct AppResource: Sendable {
  let tenancy: any TenancyStore
  let cursors: CursorCodec

  func create(_ call: Call, _ scope: AccountScope) async throws -> Answer {
    let request = try call.decode(CreateAppRequest.self)
    let app = try await tenancy.createApp(named: request.name, environment: request.environment, as: scope)
    return .json(.created) { $0.members(of: app) }
  }

  func list(_ call: Call, _ scope: AccountScope) async throws -> Answer {
    let query = try ListQuery(call, owner: scope.account.description, cursors: cursors)
    let page = try await tenancy.apps(query.page, as: scope)
    return .list(page, query, cursors) { $0.members(of: $1) }
  }

  func read(_ call: Call, _ scope: AccountScope) async throws -> Answer {
    let app = try await tenancy.app(try call.id("app_id"), as: scope)
    return .json(.ok) { $0.members(of: app) }
  }

  func update(_ call: Call, _ scope: AccountScope) async throws -> Answer {
    let tenant = try await self.scope(of: call, scope)
    let request = try call.decode(UpdateAppRequest.self)
    let app = try await tenancy.updateApp(name: request.name, in: tenant)
    return .json(.ok) { $0.members(of: app) }
  }

  func delete(_ call: Call, _ scope: AccountScope) async throws -> Answer {
    try await tenancy.deleteApp(in: try await self.scope(of: call, scope))
    return .noContent
  }

  /// Not found for an app that does not exist and for somebody else's alike.
  func scope(of call: Call, _ scope: AccountScope) async throws -> TenantScope {
    let app = try await tenancy.app(try call.id("app_id"), as: scope)
    guard let tenant = TenantScope(app: app, ownedBy: scope) else { throw APIProblem.notFound }
    return tenant
  }
}

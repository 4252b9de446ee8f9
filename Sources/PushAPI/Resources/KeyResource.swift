internal import PushCore

/// The API keys of one app.
struct KeyResource: Sendable {
  let tenancy: any TenancyStore
  let cursors: CursorCodec

  func create(_ call: Call, in scope: TenantScope) async throws -> Answer {
    let request = try call.decode(CreateKeyRequest.self)
    let new = NewAPIKey(
      name: request.name, permissions: request.permissions, expiresAt: request.expiresAt, secret: .make())
    let key = try await tenancy.createKey(new, in: scope)
    return Self.shown(key, new.secret)
  }

  func list(_ call: Call, in scope: TenantScope) async throws -> Answer {
    let query = try ListQuery(call, owner: scope.app.description, cursors: cursors)
    let page = try await tenancy.keys(query.page, in: scope)
    return .list(page, query, cursors) { $0.members(of: $1) }
  }

  func rotate(_ call: Call, in scope: TenantScope) async throws -> Answer {
    let id: APIKeyID = try call.id()
    let request = try call.decodeIfPresent(RotateKeyRequest.self)
    let secret = APIKeySecret.make()
    let key = try await tenancy.rotateKey(id, to: secret, overlap: request.overlap, in: scope)
    return Self.shown(key, secret)
  }

  func revoke(_ call: Call, in scope: TenantScope) async throws -> Answer {
    try await tenancy.revokeKey(try call.id(), in: scope)
    return .noContent
  }

  private static func shown(_ key: APIKey, _ secret: APIKeySecret) -> Answer {
    .json(.created) {
      $0.members(of: key)
      $0.secret(secret, of: key.owner)
    }
  }
}

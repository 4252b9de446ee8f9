internal import PushCore

/// Accounts, for the operator.
struct AccountResource: Sendable {
  let tenancy: any TenancyStore
  let cursors: CursorCodec

  func respond(to endpoint: OperatorEndpoint, _ call: Call, as scope: OperatorScope) async throws -> Answer {
    switch endpoint {
    case .createAccount: try await create(call, scope)
    case .listAccounts: try await list(call, scope)
    case .readAccount: try await read(call, scope)
    case .updateAccount: try await update(call, scope)
    case .deleteAccount: try await delete(call, scope)
    case .createKey: try await createKey(call, scope)
    }
  }

  private func create(_ call: Call, _ scope: OperatorScope) async throws -> Answer {
    let request = try call.decode(CreateAccountRequest.self)
    let key = NewAPIKey(
      name: "First key", permissions: Set(Permission.allCases.filter(\.isForAccounts)), expiresAt: nil,
      secret: .make())
    let account = try await tenancy.createAccount(named: request.name, firstKey: key, as: scope)
    return .json(.created) {
      $0.members(of: account)
      $0.secret(key.secret, of: .account(account.id))
    }
  }

  private func list(_ call: Call, _ scope: OperatorScope) async throws -> Answer {
    let query = try ListQuery(call, owner: "operator", cursors: cursors)
    let page = try await tenancy.accounts(query.page, as: scope)
    return .list(page, query, cursors) { $0.members(of: $1) }
  }

  private func read(_ call: Call, _ scope: OperatorScope) async throws -> Answer {
    let account = try await tenancy.account(try call.id(), as: scope)
    return .json(.ok) { $0.members(of: account) }
  }

  private func update(_ call: Call, _ scope: OperatorScope) async throws -> Answer {
    let id: AccountID = try call.id()
    let request = try call.decode(UpdateAccountRequest.self)
    let account = try await tenancy.updateAccount(
      id, name: request.name, suspension: request.suspension, as: scope)
    return .json(.ok) { $0.members(of: account) }
  }

  private func delete(_ call: Call, _ scope: OperatorScope) async throws -> Answer {
    try await tenancy.deleteAccount(try call.id(), as: scope)
    return .noContent
  }

  private func createKey(_ call: Call, _ scope: OperatorScope) async throws -> Answer {
    let id: AccountID = try call.id()
    let request = try call.decode(CreateAccountKeyRequest.self)
    let new = NewAPIKey(
      name: request.name, permissions: request.permissions, expiresAt: request.expiresAt, secret: .make())
    let key = try await tenancy.createKey(new, for: id, as: scope)
    return .json(.created) {
      $0.members(of: key)
      $0.secret(new.secret, of: key.owner)
    }
  }
}

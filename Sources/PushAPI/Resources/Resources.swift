internal import PushCore

/// Every resource of the API, and which of them an admitted call goes to.
struct Resources: Sendable {
  private let accounts: AccountResource
  private let apps: AppResource
  private let keys: KeyResource
  private let credentials: CredentialResource
  private let installations: InstallationResource
  private let receipts: ReceiptResource
  private let messages: MessageResource
  private let system: SystemResource

  init(ports: APIPorts, configuration: APIConfiguration, metrics: @escaping @Sendable () -> [UInt8]) {
    let cursors = CursorCodec(key: configuration.cursorKey)
    accounts = AccountResource(tenancy: ports.tenancy, cursors: cursors)
    apps = AppResource(tenancy: ports.tenancy, cursors: cursors)
    keys = KeyResource(tenancy: ports.tenancy, cursors: cursors)
    credentials = CredentialResource(tenancy: ports.tenancy, inspector: ports.inspector)
    installations = InstallationResource(
      tenancy: ports.tenancy, installations: ports.installations, keyring: ports.keyring, cursors: cursors)
    receipts = ReceiptResource(messages: ports.messages, keyring: ports.keyring)
    messages = MessageResource(messages: ports.messages, provider: ports.provider, cursors: cursors)
    system = SystemResource(
      readiness: configuration.readiness, metrics: metrics, contract: configuration.contract)
  }

  func respond(to admission: Admission, _ call: Call) async throws -> Answer {
    try Self.checkQuery(admission, call)
    return switch admission {
    case .system(let endpoint): try await system.respond(to: endpoint)
    case .operator(let endpoint, let scope): try await accounts.respond(to: endpoint, call, as: scope)
    case .account(let endpoint, let scope, _): try await respond(to: endpoint, call, scope)
    case .sender(let endpoint, let scope, _): try await respond(to: endpoint, call, scope)
    case .registration(.register): try await installations.register(call)
    case .device(let endpoint, let scope): try await respond(to: endpoint, call, scope)
    }
  }

  private func respond(to endpoint: AccountEndpoint, _ call: Call, _ scope: AccountScope) async throws -> Answer {
    switch endpoint {
    case .createApp: try await apps.create(call, scope)
    case .listApps: try await apps.list(call, scope)
    case .readApp: try await apps.read(call, scope)
    case .updateApp: try await apps.update(call, scope)
    case .deleteApp: try await apps.delete(call, scope)
    case .createKey: try await keys.create(call, in: apps.scope(of: call, scope))
    case .listKeys: try await keys.list(call, in: apps.scope(of: call, scope))
    case .rotateKey: try await keys.rotate(call, in: apps.scope(of: call, scope))
    case .revokeKey: try await keys.revoke(call, in: apps.scope(of: call, scope))
    case .putCredential: try await credentials.put(call, in: apps.scope(of: call, scope))
    case .readCredential: try await credentials.read(in: apps.scope(of: call, scope))
    case .deleteCredential: try await credentials.delete(in: apps.scope(of: call, scope))
    }
  }

  private func respond(to endpoint: SenderEndpoint, _ call: Call, _ scope: TenantScope) async throws -> Answer {
    switch endpoint {
    case .createMessage: try await messages.create(call, in: scope)
    case .listMessages: try await messages.list(call, in: scope)
    case .readMessage: try await messages.read(call, in: scope)
    case .listDeliveries: try await messages.deliveries(call, in: scope)
    case .listInstallations: try await installations.list(call, in: scope)
    case .readInstallation: try await installations.read(call, in: scope)
    }
  }

  private func respond(to endpoint: DeviceEndpoint, _ call: Call, _ scope: DeviceScope) async throws -> Answer {
    switch endpoint {
    case .updateInstallation: try await installations.update(call, as: scope)
    case .deleteInstallation: try await installations.delete(call, as: scope)
    case .login: try await installations.login(call, as: scope)
    case .logout: try await installations.logout(call, as: scope)
    case .reportReceipts: try await receipts.report(call, as: scope)
    }
  }

  /// Lists read their own query; a probe may say what it likes; nobody else has a query.
  private static func checkQuery(_ admission: Admission, _ call: Call) throws(APIProblem) {
    switch admission {
    case .system, .operator(.listAccounts, _), .account(.listApps, _, _), .account(.listKeys, _, _),
      .sender(.listMessages, _, _), .sender(.listDeliveries, _, _), .sender(.listInstallations, _, _):
      return
    case .operator, .account, .sender, .registration, .device:
      try ListQuery.requireNone(call.query)
    }
  }
}

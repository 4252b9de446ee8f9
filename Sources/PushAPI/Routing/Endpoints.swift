internal import HTTP
internal import PushCore

/// For probes, scrapers and people; no credential.
enum SystemEndpoint: CaseIterable, Sendable {
  case health, readiness, metrics, contract

  var route: Route {
    switch self {
    case .health: .get("/healthz")
    case .readiness: .get("/readyz")
    case .metrics: .get("/metrics")
    case .contract: .get("/openapi.json")
    }
  }
}

/// For whoever runs the service: the operator token.
enum OperatorEndpoint: CaseIterable, Sendable {
  case createAccount, listAccounts, readAccount, updateAccount, deleteAccount, createKey

  var route: Route {
    switch self {
    case .createAccount: .post("/push/v1/accounts")
    case .listAccounts: .get("/push/v1/accounts")
    case .readAccount: .get("/push/v1/accounts/{id}")
    case .updateAccount: .patch("/push/v1/accounts/{id}")
    case .deleteAccount: .delete("/push/v1/accounts/{id}")
    case .createKey: .post("/push/v1/accounts/{id}/keys")
    }
  }
}

/// For an account's own people and tools: a key of the account.
enum AccountEndpoint: CaseIterable, Sendable {
  case createApp, listApps, readApp, updateApp, deleteApp
  case createKey, listKeys, rotateKey, revokeKey
  case putCredential, readCredential, deleteCredential

  var route: Route {
    switch self {
    case .createApp: .post("/push/v1/apps")
    case .listApps: .get("/push/v1/apps")
    case .readApp: .get("/push/v1/apps/{app_id}")
    case .updateApp: .patch("/push/v1/apps/{app_id}")
    case .deleteApp: .delete("/push/v1/apps/{app_id}")
    case .createKey: .post("/push/v1/apps/{app_id}/keys")
    case .listKeys: .get("/push/v1/apps/{app_id}/keys")
    case .rotateKey: .post("/push/v1/apps/{app_id}/keys/{id}/rotate")
    case .revokeKey: .delete("/push/v1/apps/{app_id}/keys/{id}")
    case .putCredential: .put("/push/v1/apps/{app_id}/apns")
    case .readCredential: .get("/push/v1/apps/{app_id}/apns")
    case .deleteCredential: .delete("/push/v1/apps/{app_id}/apns")
    }
  }

  var permission: Permission {
    switch self {
    case .createApp, .listApps, .readApp, .updateApp, .deleteApp: .apps
    case .putCredential, .readCredential, .deleteCredential: .apps
    case .createKey, .listKeys, .rotateKey, .revokeKey: .keys
    }
  }
}

/// For back ends that send: a key of one app.
enum SenderEndpoint: CaseIterable, Sendable {
  case createMessage, listMessages, readMessage, listDeliveries, listInstallations, readInstallation

  var route: Route {
    switch self {
    case .createMessage: .post("/push/v1/messages")
    case .listMessages: .get("/push/v1/messages")
    case .readMessage: .get("/push/v1/messages/{id}")
    case .listDeliveries: .get("/push/v1/messages/{id}/deliveries")
    case .listInstallations: .get("/push/v1/installations")
    case .readInstallation: .get("/push/v1/installations/{id}")
    }
  }

  var permission: Permission {
    switch self {
    case .createMessage: .sendMessages
    case .listMessages, .readMessage, .listDeliveries: .readMessages
    case .listInstallations, .readInstallation: .readInstallations
    }
  }
}

/// For a device that has nothing yet but the app's public id.
enum RegistrationEndpoint: CaseIterable, Sendable {
  case register

  var route: Route {
    switch self {
    case .register: .post("/push/v1/installations")
    }
  }
}

/// For a registered device: its receipt token and the app's id.
enum DeviceEndpoint: CaseIterable, Sendable {
  case updateInstallation, deleteInstallation, login, logout, reportReceipts

  var route: Route {
    switch self {
    case .updateInstallation: .patch("/push/v1/installations/{id}")
    case .deleteInstallation: .delete("/push/v1/installations/{id}")
    case .login: .post("/push/v1/installations/{id}/login")
    case .logout: .post("/push/v1/installations/{id}/logout")
    case .reportReceipts: .post("/push/v1/receipts")
    }
  }
}

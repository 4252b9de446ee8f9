internal import PushCore

/// A call together with the proof that its caller may make it: what an endpoint's handler is started with.
enum Admission: Sendable {
  case system(SystemEndpoint)
  case `operator`(OperatorEndpoint, OperatorScope)
  case account(AccountEndpoint, AccountScope, APIKeyID)
  case sender(SenderEndpoint, TenantScope, APIKeyID)
  case registration(RegistrationEndpoint)
  case device(DeviceEndpoint, DeviceScope)

  func limitSubject(address: String) -> LimitSubject {
    switch self {
    case .operator: .operator
    case .account(_, _, let key), .sender(_, _, let key): .key(key)
    case .system, .registration, .device: .address(address)
    }
  }

  /// Throws what the caller's key lacks. Apart from authentication, so that a refused caller is counted as itself.
  func checkPermission() throws(APIProblem) {
    switch self {
    case .account(let endpoint, let scope, _) where !scope.permissions.contains(endpoint.permission):
      throw .forbidden(needs: endpoint.permission)
    case .sender(let endpoint, let scope, _) where !scope.permissions.contains(endpoint.permission):
      throw .forbidden(needs: endpoint.permission)
    case .system, .operator, .account, .sender, .registration, .device:
      return
    }
  }
}

internal import HTTP

/// Every call of the API, by the plane it belongs to: a plane's handler gets the scope that its plane proves, and nothing else
/// can be asked of it.
enum Endpoint: Sendable, Hashable {
  case system(SystemEndpoint)
  case `operator`(OperatorEndpoint)
  case account(AccountEndpoint)
  case sender(SenderEndpoint)
  case registration(RegistrationEndpoint)
  case device(DeviceEndpoint)

  static let all: [Endpoint] =
    SystemEndpoint.allCases.map(Endpoint.system) + OperatorEndpoint.allCases.map(Endpoint.operator)
    + AccountEndpoint.allCases.map(Endpoint.account) + SenderEndpoint.allCases.map(Endpoint.sender)
    + RegistrationEndpoint.allCases.map(Endpoint.registration) + DeviceEndpoint.allCases.map(Endpoint.device)

  var route: Route {
    switch self {
    case .system(let endpoint): endpoint.route
    case .operator(let endpoint): endpoint.route
    case .account(let endpoint): endpoint.route
    case .sender(let endpoint): endpoint.route
    case .registration(let endpoint): endpoint.route
    case .device(let endpoint): endpoint.route
    }
  }

  static func table() -> RouteTable<Endpoint> {
    var table = RouteTable<Endpoint>()
    for endpoint in all {
      do {
        try table.add(endpoint.route.method, endpoint.route.template, endpoint)
      } catch {
        preconditionFailure("the list of routes is wrong: \(error)")
      }
    }
    return table
  }
}

extension Route {
  static func get(_ template: String) -> Route { Route(method: .get, template: template) }
  static func post(_ template: String) -> Route { Route(method: .post, template: template) }
  static func put(_ template: String) -> Route { Route(method: .put, template: template) }
  static func patch(_ template: String) -> Route { Route(method: .patch, template: template) }
  static func delete(_ template: String) -> Route { Route(method: .delete, template: template) }
}

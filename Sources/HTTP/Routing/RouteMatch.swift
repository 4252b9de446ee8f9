/// One line of a `RouteTable`, for listings and for the comparison with the published contract.
package struct Route: Sendable, Hashable {
  package let method: HTTPMethod
  package let template: String

  package init(method: HTTPMethod, template: String) {
    self.method = method
    self.template = template
  }
}

/// What a `RouteTable` says about a method on a path.
package enum RouteMatch<Value: Sendable>: Sendable {
  /// The template is a label of few values, fit for metrics and logs.
  case found(Value, template: String, PathParameters)
  /// The path exists and the method is `OPTIONS`: answer 204 with `Allow`.
  case options(allow: [HTTPMethod])
  /// The path exists, but not for this method: 405 with `Allow`.
  case methodNotAllowed(allow: [HTTPMethod])
  case notFound
}

extension Sequence<HTTPMethod> {
  /// The value of an `Allow` field.
  package var allowField: String { map(\.rawValue).joined(separator: ", ") }
}

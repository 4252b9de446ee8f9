/// Which value (usually a handler) answers a method on a path.
///
/// Built once at start and read by every loop afterwards. A tree over path segments: at each segment a literal is tried
/// before a parameter and a parameter before the rest of the path, and the first route that fits the whole path decides
/// for all methods, so that one path has one `Allow`.
package struct RouteTable<Value: Sendable>: Sendable {
  private struct Node: Sendable {
    var literals: [String: Int] = [:]
    var parameter: Int?
    var rest: Int?
    var entries: [Entry] = []
  }

  private struct Entry: Sendable {
    let method: HTTPMethod
    let template: PathTemplate
    let names: [String]
    let value: Value
  }

  private var nodes = [Node()]
  /// Every route in the order it was added.
  package private(set) var routes: [Route] = []

  package init() {}

  /// Throws `malformedTemplate`, or `duplicateRoute` when the method is taken on an equal path; parameters are equal
  /// whatever their names.
  package mutating func add(_ method: HTTPMethod, _ template: String, _ value: Value) throws(HTTPError) {
    let template = try PathTemplate(template)
    var index = 0
    for segment in template.segments { index = child(of: index, segment) }
    guard !nodes[index].entries.contains(where: { $0.method == method }) else {
      throw HTTPError(.duplicateRoute, "\(method.rawValue) \(template.text) has a route already")
    }
    nodes[index].entries.append(
      Entry(method: method, template: template, names: template.parameterNames, value: value))
    routes.append(Route(method: method, template: template.text))
  }

  /// `HEAD` finds the route of `GET` where it has none itself; `OPTIONS` without a route is for the caller to answer
  /// with `Allow`.
  package func match(_ method: HTTPMethod, _ path: [String]) -> RouteMatch<Value> {
    var values: [String] = []
    guard let index = find(path[...], from: 0, &values) else { return .notFound }
    let entries = nodes[index].entries
    if let entry = entries.first(where: { $0.method == method })
      ?? (method == .head ? entries.first { $0.method == .get } : nil)
    {
      let parameters = PathParameters(names: entry.names, values: values)
      return .found(entry.value, template: entry.template.text, parameters)
    }
    let allowed = Self.allowed(entries)
    return method == .options ? .options(allow: allowed) : .methodNotAllowed(allow: allowed)
  }

  private mutating func child(of index: Int, _ segment: PathTemplate.Segment) -> Int {
    let next = nodes.count
    switch segment {
    case .literal(let text):
      if let known = nodes[index].literals[text] { return known }
      nodes[index].literals[text] = next
    case .parameter:
      if let known = nodes[index].parameter { return known }
      nodes[index].parameter = next
    case .rest:
      if let known = nodes[index].rest { return known }
      nodes[index].rest = next
    }
    nodes.append(Node())
    return next
  }

  /// Depth-first with return to the parameter when a literal led nowhere; never more steps than the tree has nodes.
  private func find(_ path: ArraySlice<String>, from index: Int, _ values: inout [String]) -> Int? {
    let node = nodes[index]
    guard let segment = path.first else { return node.entries.isEmpty ? nil : index }
    if let next = node.literals[segment], let found = find(path.dropFirst(), from: next, &values) { return found }
    guard !segment.isEmpty else { return nil }
    if let next = node.parameter {
      values.append(segment)
      if let found = find(path.dropFirst(), from: next, &values) { return found }
      values.removeLast()
    }
    guard let next = node.rest, !path.contains("") else { return nil }
    values.append(path.joined(separator: "/"))
    return next
  }

  private static func allowed(_ entries: [Entry]) -> [HTTPMethod] {
    var methods = Set(entries.map(\.method))
    if methods.contains(.get) { methods.insert(.head) }
    methods.insert(.options)
    return HTTPMethod.allCases.filter(methods.contains)
  }
}

internal import HTTP
internal import PushCore

/// The query of a list: `limit`, `cursor`, and the filters that this list has.
///
/// A plain value of one request.
struct ListQuery: Sendable {
  let page: PageRequest
  let context: CursorContext
  private let filters: [String: String]

  static let maximumLimit = 200
  static let defaultLimit = 50

  /// Throws everything that is wrong with the query at once. A pointer into the query is `?name`.
  init(_ call: Call, owner: String, filters allowed: [String] = [], cursors: CursorCodec) throws(APIProblem) {
    var problems: [FieldProblem] = []
    let values = Self.values(call.query, allowed: allowed + ["limit", "cursor"], &problems)
    var limit = Self.defaultLimit
    if let text = values["limit"] {
      if let number = Self.limit(text) {
        limit = number
      } else {
        problems.append(
          FieldProblem(
            pointer: "?limit", code: "out_of_range", detail: "limit is a whole number from 1 to \(Self.maximumLimit)."))
      }
    }
    filters = values.filter { allowed.contains($0.key) }
    context = CursorContext(owner: owner, path: call.path, filters: filters.map { ($0.key, $0.value) })
    var after: PageKey?
    if let text = values["cursor"] {
      after = cursors.decode(text, for: context)
      if after == nil {
        problems.append(
          FieldProblem(
            pointer: "?cursor", code: "invalid_cursor",
            detail: "A cursor is next_cursor of an earlier answer to the same query, unchanged."))
      }
    }
    guard problems.isEmpty else { throw .invalid(problems) }
    page = PageRequest(limit: limit, after: after)
  }

  subscript(filter: String) -> String? { filters[filter] }

  /// For calls that take no query at all.
  static func requireNone(_ query: QueryItems) throws(APIProblem) {
    var problems: [FieldProblem] = []
    _ = values(query, allowed: [], &problems)
    guard problems.isEmpty else { throw .invalid(problems) }
  }

  private static func values(
    _ query: QueryItems, allowed: [String], _ problems: inout [FieldProblem]
  ) -> [String: String] {
    var values: [String: String] = [:]
    for item in query.items {
      if !allowed.contains(item.name) {
        let known = allowed.isEmpty ? "none" : allowed.joined(separator: ", ")
        problems.append(
          FieldProblem(
            pointer: "?\(item.name.prefix(64))", code: "unknown_parameter", detail: "This call takes: \(known)."))
      } else if values.updateValue(item.value, forKey: item.name) != nil {
        problems.append(
          FieldProblem(pointer: "?\(item.name)", code: "duplicate", detail: "A parameter is given once."))
      }
    }
    return values
  }

  private static func limit(_ text: String) -> Int? {
    guard (1...3).contains(text.utf8.count), text.utf8.allSatisfy({ (48...57).contains($0) }), let number = Int(text),
      (1...maximumLimit).contains(number)
    else { return nil }
    return number
  }
}

extension ListQuery {
  /// A filter by an id that callers choose.
  func identifier(_ name: String) throws(APIProblem) -> String? {
    guard let text = self[name] else { return nil }
    guard FieldLimit.identifier.contains(text.utf8.count) else {
      throw .invalid("?\(name)", "out_of_range", "This has 1 to \(FieldLimit.identifier.upperBound) bytes.")
    }
    return text
  }

  func choice<Choice>(_ name: String, _ words: [(word: String, value: Choice)]) throws(APIProblem) -> Choice? {
    guard let text = self[name] else { return nil }
    guard let found = words.first(where: { $0.word == text }) else {
      throw .invalid("?\(name)", "not_allowed", "This is one of: \(words.map(\.word).joined(separator: ", ")).")
    }
    return found.value
  }
}

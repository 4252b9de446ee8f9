/// A route's path as OpenAPI writes it: `/apps/{app_id}/keys/{id}`. A last segment `{name...}` takes the rest of the
/// path, one segment or more.
package struct PathTemplate: Sendable, Hashable {
  enum Segment: Sendable, Hashable {
    case literal(String)
    case parameter(String)
    case rest(String)
  }

  package let text: String
  let segments: [Segment]

  package init(_ text: String) throws(HTTPError) {
    guard text.utf8.first == 0x2f else { throw Self.malformed("must begin with a slash") }
    self.text = text
    if text == "/" {
      segments = []
      return
    }
    var segments: [Segment] = []
    for piece in text.dropFirst().split(separator: "/", omittingEmptySubsequences: false) {
      if case .rest = segments.last { throw Self.malformed("has segments behind the rest of the path") }
      segments.append(try Self.segment(piece))
    }
    let names = segments.compactMap(\.parameterName)
    guard Set(names).count == names.count else { throw Self.malformed("names a parameter twice") }
    self.segments = segments
  }

  var parameterNames: [String] { segments.compactMap(\.parameterName) }

  private static func segment(_ piece: Substring) throws(HTTPError) -> Segment {
    guard piece.first == "{" else {
      guard !piece.isEmpty, !piece.contains(where: { "{}%?#".contains($0) }) else {
        throw malformed("has an empty or an escaped literal")
      }
      return .literal(String(piece))
    }
    guard piece.last == "}" else { throw malformed("has a parameter without an end") }
    let inner = piece.dropFirst().dropLast()
    let isRest = inner.hasSuffix("...")
    let name = String(isRest ? inner.dropLast(3) : inner)
    guard !name.isEmpty, name.utf8.allSatisfy({ FieldSyntax.isToken($0) && $0 != 0x2e }) else {
      throw malformed("has a parameter without a name")
    }
    return isRest ? .rest(name) : .parameter(name)
  }

  private static func malformed(_ why: String) -> HTTPError {
    HTTPError(.malformedTemplate, "a path template \(why)")
  }
}

extension PathTemplate.Segment {
  var parameterName: String? {
    switch self {
    case .literal: nil
    case .parameter(let name), .rest(let name): name
    }
  }
}

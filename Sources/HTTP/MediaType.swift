/// A media type with its parameters (RFC 9110 section 8.3.1), for example `application/json; charset=utf-8`.
package struct MediaType: Sendable, Hashable {
  /// `type/subtype` in lower case.
  package let essence: String
  /// Names in lower case, values as written.
  package let parameters: [String: String]

  package init(parsing text: String) throws(HTTPError) {
    var cursor = FieldValueCursor(text.utf8)
    cursor.skipBlanks()
    guard let type = cursor.token(), cursor.skip(0x2f), let subtype = cursor.token(),
      let parameters = cursor.parameters(maximum: 8)
    else { throw HTTPError(.malformedMediaType, "a media type reads type/subtype; name=value") }
    essence = "\(type)/\(subtype)".lowercased()
    self.parameters = Dictionary(uniqueKeysWithValues: parameters.map { ($0.name, $0.value) })
  }

  /// JSON in UTF-8: `application/json`, with no charset or with that one (RFC 8259 defines none other).
  package var isJSON: Bool {
    guard essence == "application/json" else { return false }
    guard let charset = parameters["charset"] else { return true }
    return FieldSyntax.equalIgnoringCase(charset, "utf-8")
  }
}

/// The decoded `name=value` pairs of a query or of an `application/x-www-form-urlencoded` body, in order, duplicates
/// kept. Names compare exactly.
package struct QueryItems: Sendable, Hashable {
  package struct Item: Sendable, Hashable {
    package let name: String
    package let value: String

    package init(name: String, value: String) {
      self.name = name
      self.value = value
    }
  }

  /// No endpoint takes more than a dozen; the bound keeps one request from making thousands of strings.
  package static let maximumCount = 128

  package let items: [Item]

  package init(_ items: [Item] = []) { self.items = items }

  /// `+` reads as a space, as forms and the query builders of browsers write it. Empty pieces between `&` are skipped,
  /// a piece without `=` has an empty value.
  package init(parsing bytes: Span<UInt8>) throws(HTTPError) {
    var items: [Item] = []
    var start = 0
    while start < bytes.count {
      var end = start
      var separator: Int?
      while end < bytes.count, bytes[end] != 0x26 {
        if bytes[end] == 0x3d, separator == nil { separator = end }
        end += 1
      }
      if end > start {
        guard items.count < Self.maximumCount else { throw HTTPError(.malformedTarget, "too many query items") }
        let name = try PercentCoding.decode(bytes.extracting(start..<(separator ?? end)), .form)
        let value =
          if let separator { try PercentCoding.decode(bytes.extracting(separator + 1..<end), .form) } else { "" }
        items.append(Item(name: name, value: value))
      }
      start = end + 1
    }
    self.items = items
  }

  /// The first value of that name. Where a second one would matter, ask `values(of:)`.
  package subscript(name: String) -> String? { items.first { $0.name == name }?.value }

  package func values(of name: String) -> [String] { items.filter { $0.name == name }.map(\.value) }
}

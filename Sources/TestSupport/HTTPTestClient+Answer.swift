package import HTTP

/// An answer as a test sees it on the wire.
package struct HTTPTestAnswer: Sendable {
  package let status: Int
  package let fields: HTTPFields
  package internal(set) var body: [UInt8] = []

  package var text: String { String(decoding: body, as: UTF8.self) }

  /// Nil when the head is not a well-formed HTTP/1.1 one.
  init?(head: [UInt8]) {
    let lines = String(decoding: head.dropLast(4), as: UTF8.self)
      .split(separator: "\r\n", omittingEmptySubsequences: false)
    guard let first = lines.first, first.hasPrefix("HTTP/1.1 "), let status = Int(first.dropFirst(9).prefix(3)) else {
      return nil
    }
    self.status = status
    var fields = HTTPFields()
    for line in lines.dropFirst() {
      let parts = line.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
      guard parts.count == 2, !parts[0].isEmpty, parts[0].utf8.allSatisfy(FieldSyntax.isToken) else { return nil }
      fields.append(String(parts[0]), String(parts[1].drop { $0 == " " }))
    }
    self.fields = fields
  }

  /// Nil when no body follows.
  var bodyLength: Int? { status >= 200 ? fields["Content-Length"].flatMap { Int($0) } : nil }

  /// The number of bytes up to the empty line, included.
  static func endOfHead(_ bytes: [UInt8]) -> Int? {
    guard bytes.count >= 4 else { return nil }
    for end in 4...bytes.count where bytes[end - 4..<end].elementsEqual([13, 10, 13, 10]) { return end }
    return nil
  }
}

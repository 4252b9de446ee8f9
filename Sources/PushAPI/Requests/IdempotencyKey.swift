internal import Crypto
internal import HTTP
internal import JSON
internal import PushCore

/// A sender's word that two requests are one: in the header `Idempotency-Key`, in the body, or equal in both.
enum IdempotencyKey {
  static let header = "Idempotency-Key"
  static let field = "idempotency_key"
  static let length = 1...255
  static let detail = "An idempotency key has 1 to 255 printable ASCII characters."

  static func isPrintable(_ text: String) -> Bool { text.utf8.allSatisfy { (0x20...0x7e).contains($0) } }

  /// `nil` when none is given. `body` is the document as it was read.
  static func claim(
    _ headers: HTTPFields, bodyKey: String?, body: JSONObject
  ) throws(APIProblem) -> IdempotencyClaim? {
    let values = headers.values(of: header)
    guard values.count <= 1 else { throw .invalid(header, "duplicate", "The header is given once.") }
    if let key = values.first, !length.contains(key.utf8.count) || !isPrintable(key) {
      throw .invalid(header, "invalid_characters", detail)
    }
    if let inHeader = values.first, let bodyKey, inHeader != bodyKey {
      throw .invalid("/\(field)", "contradiction", "The header \(header) has another key.")
    }
    return (values.first ?? bodyKey).map { IdempotencyClaim(key: $0, bodyHash: hash(body)) }
  }

  /// Of the compact document with its names in order and without the key: a client that writes its members in another order,
  /// as some dictionaries do at each start, still says the same.
  static func hash(_ body: JSONObject) -> [UInt8] {
    var writer = JSONWriter()
    write(body.members.filter { $0.name != field }, to: &writer)
    return SHA256.hash(writer.bytes)
  }

  private static func write(_ members: [JSONObject.Member], to writer: inout JSONWriter) {
    let ordered = members.sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
    writer.object { writer in
      for member in ordered {
        writer.name(text: member.name)
        write(member.value, to: &writer)
      }
    }
  }

  /// As deep as the document, which the parser has bounded.
  private static func write(_ value: JSONValue, to writer: inout JSONWriter) {
    switch value {
    case .object(let object): write(object.members, to: &writer)
    case .array(let elements):
      writer.array { writer in
        for element in elements { write(element, to: &writer) }
      }
    case .null, .bool, .number, .string: writer.value(value)
    }
  }
}

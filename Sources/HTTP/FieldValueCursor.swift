/// A position in a field value, moving over the pieces of RFC 9110 section 5.6. A local value of one parser.
struct FieldValueCursor {
  private let bytes: [UInt8]
  private var position = 0

  init(_ bytes: some Sequence<UInt8>) { self.bytes = Array(bytes) }

  var isAtEnd: Bool { position == bytes.count }

  mutating func skipBlanks() {
    while position < bytes.count, FieldSyntax.isBlank(bytes[position]) { position += 1 }
  }

  /// Moves over that byte if it is the next one.
  mutating func skip(_ byte: UInt8) -> Bool {
    guard position < bytes.count, bytes[position] == byte else { return false }
    position += 1
    return true
  }

  /// The token here, or nil if there is none.
  mutating func token() -> String? {
    let start = position
    while position < bytes.count, FieldSyntax.isToken(bytes[position]) { position += 1 }
    guard position > start else { return nil }
    return String(decoding: bytes[start..<position], as: UTF8.self)
  }

  /// The content of a quoted string here, escapes resolved; nil if there is none, it does not end, or is not UTF-8.
  mutating func quotedString() -> String? {
    guard skip(0x22) else { return nil }
    var content: [UInt8] = []
    while position < bytes.count {
      let byte = bytes[position]
      position += 1
      switch byte {
      case 0x22:
        return String(validating: content, as: UTF8.self)
      case 0x5c:
        guard position < bytes.count, FieldSyntax.isValue(bytes[position]) else { return nil }
        content.append(bytes[position])
        position += 1
      default:
        guard FieldSyntax.isValue(byte) else { return nil }
        content.append(byte)
      }
    }
    return nil
  }

  /// `; name=value` pairs up to the end; names in lower case. nil when malformed, repeated or more than `maximum`.
  mutating func parameters(maximum: Int) -> [(name: String, value: String)]? {
    var found: [(name: String, value: String)] = []
    while true {
      skipBlanks()
      if isAtEnd { return found }
      guard skip(0x3b), found.count < maximum else { return nil }
      skipBlanks()
      guard let name = token()?.lowercased(), skip(0x3d) else { return nil }
      guard let value = token() ?? quotedString() else { return nil }
      guard !found.contains(where: { $0.name == name }) else { return nil }
      found.append((name, value))
    }
  }
}

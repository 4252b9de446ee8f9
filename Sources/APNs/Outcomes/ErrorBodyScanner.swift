/// Reads the members of the one JSON object that an error body is, as far as they can be read.
///
/// Not a JSON parser on purpose: a strict one refuses a truncated body whole, while the reason at its start is what decides about the
/// push. What cannot be read ends the members. Values other than texts and numbers are passed over.
struct ErrorBodyScanner {
  enum Value: Hashable {
    case text([UInt8])
    case number([UInt8])
    case other
  }

  private let bytes: UnsafeRawBufferPointer
  private var position = 0
  private var hasBegun = false

  init(_ bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

  mutating func nextMember() -> (name: String, value: Value)? {
    guard skip(hasBegun ? UInt8(ascii: ",") : UInt8(ascii: "{")) else { return nil }
    hasBegun = true
    guard let name = text(), skip(UInt8(ascii: ":")), let value = value() else { return nil }
    return (String(decoding: name, as: UTF8.self), value)
  }

  private mutating func value() -> Value? {
    guard let first = peek() else { return nil }
    switch first {
    case UInt8(ascii: "\""): return text().map(Value.text)
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): return .number(run())
    case UInt8(ascii: "{"), UInt8(ascii: "["): return skipNested() ? .other : nil
    default: return run().isEmpty ? nil : .other
    }
  }

  /// Escapes other than of a character by itself stand for something that no reason has; they become a question mark.
  private mutating func text() -> [UInt8]? {
    guard skip(UInt8(ascii: "\"")) else { return nil }
    var result: [UInt8] = []
    while position < bytes.count {
      let byte = bytes[position]
      position += 1
      switch byte {
      case UInt8(ascii: "\""): return result
      case UInt8(ascii: "\\"):
        guard position < bytes.count else { return nil }
        let escaped = bytes[position]
        position += 1
        result.append("\"\\/".utf8.contains(escaped) ? escaped : UInt8(ascii: "?"))
      default: result.append(byte)
      }
    }
    return nil
  }

  /// Up to what ends a number or a word.
  private mutating func run() -> [UInt8] {
    let start = position
    while position < bytes.count, !",}] \t\r\n".utf8.contains(bytes[position]) { position += 1 }
    return Array(bytes[start..<position])
  }

  private mutating func skipNested() -> Bool {
    var depth = 0
    while let byte = peek() {
      switch byte {
      case UInt8(ascii: "\""):
        guard text() != nil else { return false }
        continue
      case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
      case UInt8(ascii: "}"), UInt8(ascii: "]"): depth -= 1
      default: break
      }
      position += 1
      if depth == 0 { return true }
    }
    return false
  }

  /// The next byte that is not blank, left in place.
  private mutating func peek() -> UInt8? {
    while position < bytes.count, " \t\r\n".utf8.contains(bytes[position]) { position += 1 }
    return position < bytes.count ? bytes[position] : nil
  }

  private mutating func skip(_ byte: UInt8) -> Bool {
    guard peek() == byte else { return false }
    position += 1
    return true
  }
}

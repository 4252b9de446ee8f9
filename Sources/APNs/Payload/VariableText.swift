internal import PushCore

/// Texts with `{{name}}` in them.
///
/// Blanks around a name are allowed. A value is never looked into for further names. Text that is to show two braces has them in
/// a variable; a pair that opens and never closes is more likely a slip of the sender's than meant.
enum VariableText {
  enum Problem: Error, Sendable, Hashable {
    case unknown(String)
    case unclosed

    var code: String {
      switch self {
      case .unknown: "unknown_variable"
      case .unclosed: "unclosed_variable"
      }
    }

    var detail: String {
      switch self {
      case .unknown(let name): "The text uses {{\(name.prefix(64))}}, and variables has no such name."
      case .unclosed: "The text opens a variable with {{ and never closes it with }}."
      }
    }
  }

  static func substitute(_ variables: [String: String], in text: String) throws(Problem) -> String {
    let bytes = Array(text.utf8)
    let (brace, end) = (UInt8(ascii: "{"), UInt8(ascii: "}"))
    guard bytes.contains(brace) else { return text }
    var result: [UInt8] = []
    result.reserveCapacity(bytes.count)
    var position = 0
    while position < bytes.count {
      guard bytes[position] == brace, position + 1 < bytes.count, bytes[position + 1] == brace else {
        result.append(bytes[position])
        position += 1
        continue
      }
      let start = position + 2
      guard
        let close = bytes.indices.dropFirst(start).first(where: {
          $0 + 1 < bytes.count && bytes[$0] == end && bytes[$0 + 1] == end
        })
      else { throw .unclosed }
      let name = String(decoding: trimmed(bytes[start..<close]), as: UTF8.self)
      guard let value = variables[name] else { throw .unknown(name) }
      result += value.utf8
      position = close + 2
    }
    return String(decoding: result, as: UTF8.self)
  }

  private static func trimmed(_ name: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    let blank = UInt8(ascii: " ")
    let front = name.drop { $0 == blank }
    return front.prefix(front.lastIndex { $0 != blank }.map { $0 - front.startIndex + 1 } ?? 0)
  }
}

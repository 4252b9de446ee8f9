/// Builds the tree of one document from its bytes and the places where its tokens begin.
///
/// Lives inside one call, on one thread. It goes down by recursion, never deeper than ``JSONLimits/deepest``.
struct JSONTreeReader {
  private let source: JSONSource
  private let maxDepth: Int
  private let maxNumberLength: Int
  private var next = 0
  private var scratch: [UInt8] = []

  init(bytes: UnsafeRawBufferPointer, tokens: UnsafeBufferPointer<UInt32>, limits: JSONLimits) {
    source = JSONSource(bytes: bytes, tokens: tokens)
    maxDepth = limits.maxDepth
    maxNumberLength = limits.maxNumberLength
  }

  mutating func document() throws(JSONError) -> JSONValue {
    let value = try value(depth: 1)
    guard next == source.tokenCount else { throw JSONError(.trailingContent, at: source.start(of: next)) }
    return value
  }

  private mutating func value(depth: Int) throws(JSONError) -> JSONValue {
    guard let first = source.firstByte(of: next) else { throw JSONError(.unexpectedEnd, at: source.count) }
    switch first {
    case UInt8(ascii: "\""): return .string(try string())
    case UInt8(ascii: "{"): return .object(try object(depth: depth))
    case UInt8(ascii: "["): return .array(try array(depth: depth))
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): return .number(try number())
    case UInt8(ascii: "}"), UInt8(ascii: "]"), UInt8(ascii: ","), UInt8(ascii: ":"):
      throw JSONError(.expectedValue, at: source.start(of: next))
    default: return try literal()
    }
  }

  private mutating func object(depth: Int) throws(JSONError) -> JSONObject {
    try open(depth: depth)
    var object = JSONObject()
    if take(UInt8(ascii: "}")) { return object }
    repeat {
      let start = source.start(of: next)
      guard let first = source.firstByte(of: next) else { throw JSONError(.unexpectedEnd, at: source.count) }
      guard first == UInt8(ascii: "\"") else { throw JSONError(.expectedName, at: start) }
      let name = try string()
      guard take(UInt8(ascii: ":")) else { throw missing(.expectedColon) }
      do throws(JSONError) {
        guard object.append(name, try value(depth: depth + 1)) else { throw JSONError(.duplicateName, at: start) }
      } catch {
        throw error.within(.name(name))
      }
    } while take(UInt8(ascii: ","))
    guard take(UInt8(ascii: "}")) else { throw missing(.expectedSeparator) }
    return object
  }

  private mutating func array(depth: Int) throws(JSONError) -> [JSONValue] {
    try open(depth: depth)
    var elements: [JSONValue] = []
    if take(UInt8(ascii: "]")) { return elements }
    repeat {
      do throws(JSONError) {
        elements.append(try value(depth: depth + 1))
      } catch {
        throw error.within(.index(elements.count))
      }
    } while take(UInt8(ascii: ","))
    guard take(UInt8(ascii: "]")) else { throw missing(.expectedSeparator) }
    return elements
  }

  private mutating func open(depth: Int) throws(JSONError) {
    guard depth <= maxDepth else { throw JSONError(.tooDeep, at: source.start(of: next)) }
    next += 1
  }

  private mutating func take(_ byte: UInt8) -> Bool {
    guard source.firstByte(of: next) == byte else { return false }
    next += 1
    return true
  }

  private func missing(_ code: JSONError.Code) -> JSONError {
    next < source.tokenCount ? JSONError(code, at: source.start(of: next)) : JSONError(.unexpectedEnd, at: source.count)
  }

  private mutating func string() throws(JSONError) -> String {
    let token = source.range(of: next)
    // The first pass has seen the string's end, and nothing but blanks can stand between it and the next token.
    guard token.count >= 2, source.byte(at: token.upperBound - 1) == UInt8(ascii: "\"") else {
      throw JSONError(.unterminatedString, at: token.lowerBound)
    }
    next += 1
    let content = (token.lowerBound + 1)..<(token.upperBound - 1)
    let raw = source.bytes(in: content)
    guard let escape = JSONUnescaping.firstEscape(in: raw) else { return String(decoding: raw, as: UTF8.self) }
    scratch.removeAll(keepingCapacity: true)
    try JSONUnescaping.append(raw, from: escape, at: content.lowerBound, to: &scratch)
    return String(decoding: scratch, as: UTF8.self)
  }

  private mutating func number() throws(JSONError) -> JSONNumber {
    let token = source.range(of: next)
    guard token.count <= maxNumberLength else { throw JSONError(.numberTooLong, at: token.lowerBound) }
    let text = source.bytes(in: token)
    guard JSONNumber.isWellFormed(text) else { throw JSONError(.invalidNumber, at: token.lowerBound) }
    next += 1
    return JSONNumber(checked: String(decoding: text, as: UTF8.self))
  }

  private mutating func literal() throws(JSONError) -> JSONValue {
    let token = source.range(of: next)
    let text = source.bytes(in: token)
    next += 1
    if text.elementsEqual("true".utf8) { return .bool(true) }
    if text.elementsEqual("false".utf8) { return .bool(false) }
    if text.elementsEqual("null".utf8) { return .null }
    let isMark = token.lowerBound == 0 && text.starts(with: [0xef, 0xbb, 0xbf])
    throw JSONError(isMark ? .byteOrderMark : .invalidLiteral, at: token.lowerBound)
  }
}

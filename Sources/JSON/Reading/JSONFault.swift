internal import CSimdJSON

/// Finds where a text went wrong that the fast pass refused: that pass says what, not where.
enum JSONFault {
  static func locate(in bytes: UnsafeRawBufferPointer, status: csimdjson_status) -> JSONError {
    switch status {
    case CSIMDJSON_NO_TOKEN: JSONError(.empty, at: 0)
    case CSIMDJSON_TOO_LARGE: JSONError(.tooLarge, at: 0)
    case CSIMDJSON_OUT_OF_MEMORY: JSONError(.outOfMemory, at: 0)
    default: firstLexicalFault(in: bytes)
    }
  }

  /// The first of: a byte that is not UTF-8, a raw control character inside a string, a string's missing end.
  private static func firstLexicalFault(in bytes: UnsafeRawBufferPointer) -> JSONError {
    let validCount = validUTF8Count(of: bytes)
    var stringStart: Int?
    var index = 0
    while index < validCount {
      switch (bytes[index], stringStart) {
      case (UInt8(ascii: "\""), .some): stringStart = nil
      case (UInt8(ascii: "\""), .none): stringStart = index
      case (UInt8(ascii: "\\"), .some) where index + 1 < validCount && bytes[index + 1] >= 0x20: index += 1
      case (0..<0x20, .some): return JSONError(.controlCharacter, at: index)
      default: break
      }
      index += 1
    }
    guard validCount == bytes.count else { return JSONError(.invalidUTF8, at: validCount) }
    return JSONError(.unterminatedString, at: stringStart ?? bytes.count)
  }

  private static func validUTF8Count(of bytes: UnsafeRawBufferPointer) -> Int {
    var iterator = bytes.makeIterator()
    var parser = Unicode.UTF8.ForwardParser()
    var count = 0
    while case .valid(let scalar) = parser.parseScalar(from: &iterator) { count += scalar.count }
    return count
  }
}

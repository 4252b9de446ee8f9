/// Escapes texts for JSON: only what must be (quote, backslash, control characters); UTF-8 and `/` stay as they are.
package enum JSONEscaping {
  /// Appends `text` as it stands between the quotes of a JSON string. `text` must be UTF-8.
  package static func append(_ text: UnsafeRawBufferPointer, to output: inout [UInt8]) {
    var start = 0
    while true {
      let special = firstSpecial(in: text, from: start)
      if special > start { output.append(contentsOf: text[start..<special]) }
      guard special < text.count else { return }
      appendEscape(of: text[special], to: &output)
      start = special + 1
    }
  }

  /// Appends `text` as it stands between the quotes of a JSON string.
  package static func append(_ text: String, to output: inout [UInt8]) {
    var text = text
    text.withUTF8 { append(UnsafeRawBufferPointer($0), to: &output) }
  }

  static func needsEscape(_ text: UnsafeRawBufferPointer) -> Bool { firstSpecial(in: text, from: 0) < text.count }

  /// The place of the next byte that must be escaped; the count if there is none.
  private static func firstSpecial(in text: UnsafeRawBufferPointer, from start: Int) -> Int {
    var index = start
    while index + 8 <= text.count {
      let word = UInt64(littleEndian: text.loadUnaligned(fromByteOffset: index, as: UInt64.self))
      let marks = belowBlank(word) | zeroBytes(word ^ quotes) | zeroBytes(word ^ backslashes)
      guard marks == 0 else { return index + marks.trailingZeroBitCount / 8 }
      index += 8
    }
    while index < text.count, !isSpecial(text[index]) { index += 1 }
    return index
  }

  // Eight bytes at a time. A borrow can only run upwards from a byte that is marked rightly, so the lowest mark is exact.
  private static let ones: UInt64 = 0x0101_0101_0101_0101
  private static let quotes = ones &* UInt64(UInt8(ascii: "\""))
  private static let backslashes = ones &* UInt64(UInt8(ascii: "\\"))

  private static func zeroBytes(_ word: UInt64) -> UInt64 { (word &- ones) & ~word & (ones << 7) }
  private static func belowBlank(_ word: UInt64) -> UInt64 { (word &- ones &* 0x20) & ~word & (ones << 7) }

  private static func isSpecial(_ byte: UInt8) -> Bool {
    byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\")
  }

  private static func appendEscape(of byte: UInt8, to output: inout [UInt8]) {
    output.append(UInt8(ascii: "\\"))
    switch byte {
    case 0x08: output.append(UInt8(ascii: "b"))
    case 0x09: output.append(UInt8(ascii: "t"))
    case 0x0a: output.append(UInt8(ascii: "n"))
    case 0x0c: output.append(UInt8(ascii: "f"))
    case 0x0d: output.append(UInt8(ascii: "r"))
    case 0..<0x20:
      output.append(contentsOf: "u00".utf8)
      output.append(hexDigit(byte >> 4))
      output.append(hexDigit(byte & 15))
    default: output.append(byte)
    }
  }

  private static func hexDigit(_ value: UInt8) -> UInt8 {
    value < 10 ? value + UInt8(ascii: "0") : value - 10 + UInt8(ascii: "a")
  }
}

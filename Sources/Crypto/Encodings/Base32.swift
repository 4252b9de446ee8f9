/// Crockford's base 32, lower case, for 128-bit values: 26 characters, most significant first, so that texts sort as
/// values do. Only the canonical spelling decodes: one value has one text.
package enum Base32 {
  /// 26 characters of 5 bits hold 130 bits; the first character therefore never exceeds `7`.
  package static let textLength = 26
  package static let byteCount = 16

  package static func encode(_ value: UInt128) -> String {
    String(unsafeUninitializedCapacity: textLength) {
      encode(value, into: UnsafeMutableRawBufferPointer($0))
      return textLength
    }
  }

  /// The text of 16 bytes.
  package static func encode(_ bytes: [UInt8]) -> String {
    precondition(bytes.count == byteCount)
    return encode(bytes.withUnsafeBytes(value))
  }

  /// Writes 26 characters to the start of `output`.
  package static func encode(_ value: UInt128, into output: UnsafeMutableRawBufferPointer) {
    precondition(output.count >= textLength)
    let high = UInt64(truncatingIfNeeded: value >> 65)
    let low = UInt64(truncatingIfNeeded: value)
    // 13 characters a half: 65 bits, of which the upper half has 63 and the lower one takes bit 64 from above.
    var rest = high
    for position in stride(from: 12, through: 0, by: -1) {
      output[position] = character(rest & 31)
      rest >>= 5
    }
    rest = low
    for position in stride(from: 25, through: 14, by: -1) {
      output[position] = character(rest & 31)
      rest >>= 5
    }
    output[13] = character(UInt64(truncatingIfNeeded: value >> 60) & 31)
  }

  /// Writes the 26 characters of the 16 bytes `bytes` to the start of `output`.
  package static func encode(_ bytes: UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer) {
    encode(value(bytes), into: output)
  }

  /// `nil` unless `text` is exactly 26 canonical characters of a value below 2^128.
  package static func decodeValue(_ text: UnsafeRawBufferPointer) -> UInt128? {
    guard text.count == textLength, let top = digit(text[0]), top < 8 else { return nil }
    var high: UInt64 = 0
    var low: UInt64 = 0
    for position in 0..<13 {
      guard let upper = digit(text[position]), let lower = digit(text[position + 13]) else { return nil }
      high = high << 5 | upper
      // The first of the lower 13 characters pushes one bit out at the top; it is added below.
      low = low << 5 | lower
    }
    let carry = digit(text[13])! >> 4
    return UInt128(high) << 65 | UInt128(carry) << 64 | UInt128(low)
  }

  package static func decodeValue(_ text: String) -> UInt128? {
    var text = text
    return text.withUTF8 { decodeValue(UnsafeRawBufferPointer($0)) }
  }

  /// Writes 16 bytes to the start of `output`, or nothing and gives `false` if `text` is not canonical.
  package static func decode(_ text: UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer) -> Bool {
    precondition(output.count >= byteCount)
    guard let value = decodeValue(text) else { return false }
    output.storeBytes(of: value.bigEndian, as: UInt128.self)
    return true
  }

  package static func decode(_ text: String) -> [UInt8]? {
    guard let value = decodeValue(text) else { return nil }
    return withUnsafeBytes(of: value.bigEndian) { [UInt8]($0) }
  }

  private static func value(_ bytes: UnsafeRawBufferPointer) -> UInt128 {
    precondition(bytes.count == byteCount)
    return UInt128(bigEndian: bytes.loadUnaligned(as: UInt128.self))
  }

  private static let alphabet: StaticString = "0123456789abcdefghjkmnpqrstvwxyz"

  private static func character(_ value: UInt64) -> UInt8 { alphabet.utf8Start[Int(value)] }

  /// The alphabet leaves out i, l, o and u.
  private static func digit(_ byte: UInt8) -> UInt64? {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt64(byte - UInt8(ascii: "0"))
    case UInt8(ascii: "a")...UInt8(ascii: "h"): UInt64(byte - UInt8(ascii: "a") + 10)
    case UInt8(ascii: "j")...UInt8(ascii: "k"): UInt64(byte - UInt8(ascii: "j") + 18)
    case UInt8(ascii: "m")...UInt8(ascii: "n"): UInt64(byte - UInt8(ascii: "m") + 20)
    case UInt8(ascii: "p")...UInt8(ascii: "t"): UInt64(byte - UInt8(ascii: "p") + 22)
    case UInt8(ascii: "v")...UInt8(ascii: "z"): UInt64(byte - UInt8(ascii: "v") + 27)
    default: nil
    }
  }
}

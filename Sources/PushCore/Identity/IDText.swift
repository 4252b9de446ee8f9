/// The 26-character text of 128 bits: Crockford's base 32, lower case, most significant first, so that texts sort as
/// values do. Only the canonical spelling decodes: one value has one text.
package enum IDText {
  /// 26 characters of 5 bits hold 130 bits; the first character therefore never exceeds `7`.
  package static let length = 26

  private static let alphabet: StaticString = "0123456789abcdefghjkmnpqrstvwxyz"

  /// Writes ``length`` bytes at the start of `buffer`.
  package static func encode(_ value: UInt128, into buffer: UnsafeMutableRawBufferPointer) {
    precondition(buffer.count >= length)
    let digits = alphabet.utf8Start
    var rest = value
    for position in stride(from: length - 1, through: 0, by: -1) {
      buffer[position] = digits[Int(truncatingIfNeeded: rest & 31)]
      rest >>= 5
    }
  }

  /// `nil` unless `bytes` are exactly ``length`` canonical characters of a value below 2^128.
  package static func decode(_ bytes: some Collection<UInt8>) -> UInt128? {
    guard bytes.count == length, let first = bytes.first, let top = digit(first), top < 8 else { return nil }
    var value = UInt128(top)
    for byte in bytes.dropFirst() {
      guard let digit = digit(byte) else { return nil }
      value = value << 5 | UInt128(digit)
    }
    return value
  }

  /// The alphabet leaves out i, l, o and u.
  private static func digit(_ byte: UInt8) -> UInt8? {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "h"): byte - UInt8(ascii: "a") + 10
    case UInt8(ascii: "j")...UInt8(ascii: "k"): byte - UInt8(ascii: "j") + 18
    case UInt8(ascii: "m")...UInt8(ascii: "n"): byte - UInt8(ascii: "m") + 20
    case UInt8(ascii: "p")...UInt8(ascii: "t"): byte - UInt8(ascii: "p") + 22
    case UInt8(ascii: "v")...UInt8(ascii: "z"): byte - UInt8(ascii: "v") + 27
    default: nil
    }
  }
}

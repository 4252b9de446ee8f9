/// The byte classes of RFC 9110 section 5 that both readers and writers of HTTP text need.
///
/// Only functions of one byte, without state. Inlinable because readers in other modules call them for every byte.
package enum FieldSyntax {
  // Bit n stands for byte n (first word) and byte n + 64 (second word): ALPHA, DIGIT and "!#$%&'*+-.^_`|~".
  @usableFromInline static let lowTokens: UInt64 = 0x03ff_6cfa_0000_0000
  @usableFromInline static let highTokens: UInt64 = 0x57ff_ffff_c7ff_fffe

  /// `tchar`: what method and field names are made of.
  @inlinable package static func isToken(_ byte: UInt8) -> Bool {
    guard byte < 128 else { return false }
    return (byte < 64 ? lowTokens : highTokens) >> UInt64(byte & 63) & 1 == 1
  }

  /// A byte allowed in a field value: visible ASCII, space, tab and the opaque bytes from 0x80 on.
  @inlinable package static func isValue(_ byte: UInt8) -> Bool {
    byte >= 0x20 ? byte != 0x7f : byte == 0x09
  }

  @inlinable package static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }

  /// ASCII letters in lower case, every other byte as it is.
  @inlinable package static func lowercased(_ byte: UInt8) -> UInt8 {
    byte >= 0x41 && byte <= 0x5a ? byte | 0x20 : byte
  }

  @inlinable package static func hexValue(_ byte: UInt8) -> UInt8? {
    switch byte {
    case 0x30...0x39: byte - 0x30
    case 0x41...0x46: byte - 0x37
    case 0x61...0x66: byte - 0x57
    default: nil
    }
  }

  /// Whether two texts are equal when ASCII letters are compared without case.
  @inlinable package static func equalIgnoringCase(_ one: String, _ other: String) -> Bool {
    one.utf8.elementsEqual(other.utf8) { lowercased($0) == lowercased($1) }
  }
}

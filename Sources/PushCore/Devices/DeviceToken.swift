/// An APNs device token: opaque bytes, of any length up to a generous cap, in one canonical form.
///
/// People paste tokens in several spellings (upper case, `<a1b2 c3d4>` from an old log). All hex spellings of one token are one
/// token here. Printing shows the first bytes only.
package struct DeviceToken: Hashable, Sendable, CustomStringConvertible {
  package let bytes: [UInt8]

  /// Apple announced up to 100 bytes; twice that is room to grow, and a bound for buffers.
  package static let maximumBytes = 200

  /// Bytes as they come from the database, already checked.
  package init(stored bytes: [UInt8]) { self.bytes = bytes }

  /// Reads hex of either case; blanks, line ends and one pair of angle brackets around it are ignored.
  package init(hex text: String) throws(Malformed) {
    var digits: [UInt8] = []
    digits.reserveCapacity(text.utf8.count)
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "0")...UInt8(ascii: "9"): digits.append(byte - UInt8(ascii: "0"))
      case UInt8(ascii: "a")...UInt8(ascii: "f"): digits.append(byte - UInt8(ascii: "a") + 10)
      case UInt8(ascii: "A")...UInt8(ascii: "F"): digits.append(byte - UInt8(ascii: "A") + 10)
      case UInt8(ascii: " "), UInt8(ascii: "\n"), UInt8(ascii: "\r"), UInt8(ascii: "<"), UInt8(ascii: ">"): continue
      default: throw .notHex
      }
      guard digits.count <= Self.maximumBytes * 2 else { throw .tooLong }
    }
    guard !digits.isEmpty else { throw .empty }
    guard digits.count.isMultiple(of: 2) else { throw .oddLength }
    bytes = stride(from: 0, to: digits.count, by: 2).map { digits[$0] << 4 | digits[$0 + 1] }
  }

  package enum Malformed: Error, Hashable, Sendable {
    case empty, notHex, oddLength, tooLong

    /// What a caller is told; never the token.
    package var detail: String {
      switch self {
      case .empty: "A device token has at least one byte."
      case .notHex: "A device token is written in hexadecimal digits; this has other characters."
      case .oddLength: "A device token has two hexadecimal digits a byte; this has an odd number of digits."
      case .tooLong: "A device token has at most \(DeviceToken.maximumBytes) bytes."
      }
    }
  }

  package var hex: String {
    let digits: StaticString = "0123456789abcdef"
    return String(unsafeUninitializedCapacity: bytes.count * 2) { buffer in
      for (index, byte) in bytes.enumerated() {
        buffer[index * 2] = digits.utf8Start[Int(byte >> 4)]
        buffer[index * 2 + 1] = digits.utf8Start[Int(byte & 15)]
      }
      return bytes.count * 2
    }
  }

  package var description: String { "\(hex.prefix(8))…" }
}

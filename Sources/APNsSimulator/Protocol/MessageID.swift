/// `apns-id` values: what is accepted and what is made up.
package enum MessageID {
  /// A canonical UUID, 8-4-4-4-12 hexadecimal digits. Apple documents lower case; upper case is taken too, because Apple
  /// itself answers in upper case and clients send such values back.
  package static func isValid(_ value: some RandomAccessCollection<UInt8>) -> Bool {
    guard value.count == 36 else { return false }
    return value.enumerated().allSatisfy { position, byte in
      switch position {
      case 8, 13, 18, 23: byte == UInt8(ascii: "-")
      default: Hexadecimal.isDigit(byte)
      }
    }
  }

  /// Upper-case, and like Apple's without version and variant bits.
  package static func random() -> [UInt8] {
    var text: [UInt8] = []
    text.reserveCapacity(36)
    var bits = (UInt64.random(in: .min ... .max), UInt64.random(in: .min ... .max))
    for position in 0..<36 {
      switch position {
      case 8, 13, 18, 23: text.append(UInt8(ascii: "-"))
      default:
        text.append(Hexadecimal.upperCase[Int(bits.0 & 15)])
        bits.0 >>= 4
        if position == 17 { bits.0 = bits.1 }
      }
    }
    return text
  }
}

enum Hexadecimal {
  static let upperCase = Array("0123456789ABCDEF".utf8)

  static func isDigit(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "f"),
      UInt8(ascii: "A")...UInt8(ascii: "F"):
      true
    default: false
    }
  }

  /// ASCII letters A to F in lower case; other bytes as they are.
  static func lowercased(_ bytes: some Sequence<UInt8>) -> [UInt8] {
    bytes.map { $0 >= UInt8(ascii: "A") && $0 <= UInt8(ascii: "F") ? $0 | 0x20 : $0 }
  }
}

/// What ``Base64`` and ``Base64URL`` share: three bytes are four characters; the alphabet's last two characters and
/// the padding differ.
struct Base64Codec {
  static let standard = Base64Codec(character62: UInt8(ascii: "+"), character63: UInt8(ascii: "/"), isPadded: true)
  static let url = Base64Codec(character62: UInt8(ascii: "-"), character63: UInt8(ascii: "_"), isPadded: false)

  private let character62: UInt8
  private let character63: UInt8
  private let isPadded: Bool

  private static let padding = UInt8(ascii: "=")

  func encodedLength(of count: Int) -> Int {
    isPadded ? (count + 2) / 3 * 4 : (count * 4 + 2) / 3
  }

  func encode(_ bytes: UnsafeRawBufferPointer) -> String {
    String(unsafeUninitializedCapacity: encodedLength(of: bytes.count)) {
      encode(bytes, into: UnsafeMutableRawBufferPointer($0))
    }
  }

  func encode(_ bytes: UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer) -> Int {
    precondition(output.count >= encodedLength(of: bytes.count))
    var written = 0
    var index = 0
    while index + 3 <= bytes.count {
      let group = UInt32(bytes[index]) << 16 | UInt32(bytes[index + 1]) << 8 | UInt32(bytes[index + 2])
      output[written] = character(group >> 18)
      output[written + 1] = character(group >> 12)
      output[written + 2] = character(group >> 6)
      output[written + 3] = character(group)
      index += 3
      written += 4
    }
    guard index < bytes.count else { return written }
    return encodeLast(bytes[index...], into: output, at: written)
  }

  private func encodeLast(
    _ rest: Slice<UnsafeRawBufferPointer>, into output: UnsafeMutableRawBufferPointer, at start: Int
  ) -> Int {
    var written = start
    func put(_ character: UInt8) {
      output[written] = character
      written += 1
    }
    let first = UInt32(rest.first!)
    let second = rest.count == 2 ? UInt32(rest.last!) : 0
    put(character(first >> 2))
    put(character(first << 4 | second >> 4))
    if rest.count == 2 { put(character(second << 2)) } else if isPadded { put(Self.padding) }
    if isPadded { put(Self.padding) }
    return written
  }

  func decode(_ text: UnsafeRawBufferPointer) -> [UInt8]? {
    var length = text.count
    if isPadded {
      guard length % 4 == 0 else { return nil }
      if length > 0, text[length - 1] == Self.padding { length -= 1 }
      if length % 4 == 3, text[length - 1] == Self.padding { length -= 1 }
    }
    guard length % 4 != 1 else { return nil }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(length / 4 * 3 + 2)
    var group: UInt32 = 0
    var bits: UInt32 = 0
    for character in text[..<length] {
      guard let value = value(of: character) else { return nil }
      group = group << 6 | value
      bits += 6
      guard bits >= 8 else { continue }
      bits -= 8
      bytes.append(UInt8(truncatingIfNeeded: group >> bits))
    }
    // What is left over of the last character must be zero, or two texts would mean the same bytes.
    guard group & (1 << bits - 1) == 0 else { return nil }
    return bytes
  }

  private func character(_ bits: UInt32) -> UInt8 {
    let value = UInt8(truncatingIfNeeded: bits & 63)
    return switch value {
    case 0..<26: value + UInt8(ascii: "A")
    case 26..<52: value - 26 + UInt8(ascii: "a")
    case 52..<62: value - 52 + UInt8(ascii: "0")
    case 62: character62
    default: character63
    }
  }

  private func value(of character: UInt8) -> UInt32? {
    switch character {
    case UInt8(ascii: "A")...UInt8(ascii: "Z"): UInt32(character - UInt8(ascii: "A"))
    case UInt8(ascii: "a")...UInt8(ascii: "z"): UInt32(character - UInt8(ascii: "a") + 26)
    case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(character - UInt8(ascii: "0") + 52)
    case character62: 62
    case character63: 63
    default: nil
    }
  }
}

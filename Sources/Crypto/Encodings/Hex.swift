/// Lower-case hexadecimal. Decoding takes either case.
package enum Hex {
  package static func encode(_ bytes: [UInt8]) -> String {
    bytes.withUnsafeBytes { bytes in
      String(unsafeUninitializedCapacity: bytes.count * 2) {
        encode(bytes, into: UnsafeMutableRawBufferPointer($0))
        return bytes.count * 2
      }
    }
  }

  /// Writes two characters a byte to the start of `output`.
  package static func encode(_ bytes: UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer) {
    precondition(output.count >= bytes.count * 2)
    for (index, byte) in bytes.enumerated() {
      output[index * 2] = character(byte >> 4)
      output[index * 2 + 1] = character(byte & 15)
    }
  }

  /// `nil` unless `text` is an even number of hexadecimal digits.
  package static func decode(_ text: String) -> [UInt8]? {
    var text = text
    return text.withUTF8 { decode(UnsafeRawBufferPointer($0)) }
  }

  package static func decode(_ text: UnsafeRawBufferPointer) -> [UInt8]? {
    guard text.count % 2 == 0 else { return nil }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(text.count / 2)
    for index in stride(from: 0, to: text.count, by: 2) {
      guard let high = digit(text[index]), let low = digit(text[index + 1]) else { return nil }
      bytes.append(high << 4 | low)
    }
    return bytes
  }

  private static func character(_ value: UInt8) -> UInt8 {
    value < 10 ? value + UInt8(ascii: "0") : value - 10 + UInt8(ascii: "a")
  }

  private static func digit(_ byte: UInt8) -> UInt8? {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
    default: nil
    }
  }
}

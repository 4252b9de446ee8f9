/// The DER of an ECDSA signature, written without the library under test.
enum DER {
  static func signature(raw: [UInt8]) -> [UInt8] {
    let numbers = integer(raw[..<32]) + integer(raw[32...])
    return [0x30, UInt8(numbers.count)] + numbers
  }

  private static func integer(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
    var digits = Array(bytes.drop { $0 == 0 })
    if digits.isEmpty || digits[0] >= 0x80 { digits.insert(0, at: 0) }
    return [0x02, UInt8(digits.count)] + digits
  }
}

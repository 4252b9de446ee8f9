import HTTP
import Testing

@Suite struct FieldSyntaxTests {
  @Test func tokensAreExactlyTheCharactersOfTheRFC() {
    // RFC 9110 section 5.6.2.
    let allowed = Set("!#$%&'*+-.^_`|~0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz".utf8)
    for byte in UInt8.min...UInt8.max {
      #expect(FieldSyntax.isToken(byte) == allowed.contains(byte), "byte \(byte)")
    }
  }

  @Test func valuesTakeVisibleCharactersBlanksAndOpaqueBytes() {
    for byte in UInt8.min...UInt8.max {
      let allowed = byte == 9 || (32...126).contains(byte) || byte >= 128
      #expect(FieldSyntax.isValue(byte) == allowed, "byte \(byte)")
    }
  }

  @Test func onlyLettersAreLowered() {
    for byte in UInt8.min...UInt8.max {
      let expected = (65...90).contains(byte) ? byte + 32 : byte
      #expect(FieldSyntax.lowercased(byte) == expected, "byte \(byte)")
    }
  }

  @Test func hexadecimalDigits() {
    #expect("0123456789abcdefABCDEF".utf8.compactMap(FieldSyntax.hexValue) == Array(0...15) + Array(10...15))
    #expect("gG/:@`x ".utf8.compactMap(FieldSyntax.hexValue).isEmpty)
  }
}

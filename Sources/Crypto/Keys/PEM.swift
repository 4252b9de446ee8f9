/// The text form of keys and certificates (RFC 7468): Base64 between a line that begins and one that ends it.
enum PEM {
  static let privateKeyLabel = "PRIVATE KEY"

  /// What stands between the lines. `body` is `nil` if the end line is missing.
  struct Block {
    let label: String
    let body: ArraySlice<UInt8>?

    /// The bytes; `nil` if the block has no end or holds more than Base64 and blanks.
    var der: [UInt8]? {
      guard let body else { return nil }
      var text = body.filter { !isBlank($0) }
      defer { text.wipe() }
      guard !text.isEmpty else { return nil }
      return text.withUnsafeBytes { Base64.decode($0) }
    }
  }

  /// The first block of the text, wherever it stands; line ends are not needed. What is around it is not looked at.
  static func firstBlock(in text: [UInt8]) -> Block? {
    guard let begin = range(of: "-----BEGIN ", in: text[...]),
      let dashes = range(of: "-----", in: text[begin.upperBound...])
    else { return nil }
    let label = text[begin.upperBound..<dashes.lowerBound]
    // A label is a few capital words; anything else is a line of text that happens to look alike.
    guard label.count <= 64, label.allSatisfy({ $0 == 0x20 || isUpperCaseOrDigit($0) }) else { return nil }
    let name = String(decoding: label, as: UTF8.self)
    let end = range(of: "-----END \(name)-----", in: text[dashes.upperBound...])
    return Block(label: name, body: end.map { text[dashes.upperBound..<$0.lowerBound] })
  }

  /// Lines of 64 characters, a line feed after each.
  static func encode(_ der: [UInt8], label: String) -> [UInt8] {
    var base64 = Array(Base64.encode(der).utf8)
    defer { base64.wipe() }
    var text = Array("-----BEGIN \(label)-----\n".utf8)
    text.reserveCapacity(text.count * 2 + base64.count * 66 / 64 + 2)
    for start in stride(from: 0, to: base64.count, by: 64) {
      text += base64[start..<min(start + 64, base64.count)]
      text.append(UInt8(ascii: "\n"))
    }
    return text + Array("-----END \(label)-----\n".utf8)
  }

  static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0d).contains(byte) }

  private static func isUpperCaseOrDigit(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
  }

  private static func range(of pattern: String, in text: ArraySlice<UInt8>) -> Range<Int>? {
    let pattern = Array(pattern.utf8)
    guard text.count >= pattern.count else { return nil }
    for start in text.startIndex...(text.endIndex - pattern.count)
    where text[start] == pattern[0] && text[start..<(start + pattern.count)].elementsEqual(pattern) {
      return start..<(start + pattern.count)
    }
    return nil
  }
}

/// Finds the key's bytes in an uploaded text and mends what copying does to it: a byte order mark, CRLF, the two characters
/// `\n` for a line end, everything on one line, blanks and quotes around, Base64 of the whole file, or the Base64 lines alone.
///
/// Letters that were changed or lost are not guessed.
enum P8Text {
  /// The DER between the lines of a `PRIVATE KEY` block. The caller wipes it.
  static func der(in file: [UInt8]) throws(P8Refusal) -> [UInt8] {
    var text = withoutEscapes(file.starts(with: byteOrderMark) ? Array(file.dropFirst(byteOrderMark.count)) : file)
    defer { text.wipe() }
    guard !text.allSatisfy(PEM.isBlank) else { throw .empty }
    if let block = PEM.firstBlock(in: text) { return try der(of: block) }
    guard var inner = base64Content(of: text) else { throw .notPEM }
    guard let block = PEM.firstBlock(in: inner) else {
      // A DER sequence: the lines between BEGIN and END were copied without these two.
      if inner.first == 0x30 { return inner }
      inner.wipe()
      throw .notPEM
    }
    defer { inner.wipe() }
    return try der(of: block)
  }

  private static let byteOrderMark: [UInt8] = [0xef, 0xbb, 0xbf]

  private static func der(of block: PEM.Block) throws(P8Refusal) -> [UInt8] {
    if let refusal = refusal(of: block.label) { throw refusal }
    guard block.body != nil else { throw .truncated }
    guard let der = block.der else { throw .damaged }
    return der
  }

  private static func refusal(of label: String) -> P8Refusal? {
    switch label {
    case PEM.privateKeyLabel: nil
    case "ENCRYPTED PRIVATE KEY": .encrypted
    case "EC PRIVATE KEY", "EC PARAMETERS": .sec1
    case "RSA PRIVATE KEY": .rsaKey
    case _ where label.hasSuffix("PUBLIC KEY"): .publicKey
    case _ where label.contains("CERTIFICATE"): .certificate
    case _ where label.hasSuffix("PRIVATE KEY"): .otherKey
    default: .notPEM
    }
  }

  /// `\n`, `\r` and `\t` as two characters, as JSON and shells show them, become blanks.
  private static func withoutEscapes(_ text: [UInt8]) -> [UInt8] {
    var result: [UInt8] = []
    result.reserveCapacity(text.count)
    var index = 0
    while index < text.count {
      if text[index] == UInt8(ascii: "\\"), index + 1 < text.count, "nrt".utf8.contains(text[index + 1]) {
        result.append(UInt8(ascii: "\n"))
        index += 2
      } else {
        result.append(text[index])
        index += 1
      }
    }
    return result
  }

  private static func base64Content(of text: [UInt8]) -> [UInt8]? {
    var letters = text.filter { !PEM.isBlank($0) }
    defer { letters.wipe() }
    return letters.withUnsafeBytes { Base64.decode($0) }
  }
}

/// A document's bytes and where its tokens begin. Every look inside is checked, in optimised builds too: the offsets come
/// from outside Swift, and a mistake there must stop us, not read past the end.
struct JSONSource {
  private let bytes: UnsafeRawBufferPointer
  private let tokens: UnsafeBufferPointer<UInt32>

  init(bytes: UnsafeRawBufferPointer, tokens: UnsafeBufferPointer<UInt32>) {
    self.bytes = bytes
    self.tokens = tokens
  }

  var count: Int { bytes.count }
  var tokenCount: Int { tokens.count }

  /// Where a token begins; after the last one, where the document ends.
  func start(of token: Int) -> Int {
    guard token < tokens.count else { return bytes.count }
    precondition(token >= 0)
    return Int(tokens[token])
  }

  func byte(at offset: Int) -> UInt8 {
    precondition(offset >= 0 && offset < bytes.count)
    return bytes[offset]
  }

  func firstByte(of token: Int) -> UInt8? {
    token < tokens.count ? byte(at: start(of: token)) : nil
  }

  /// A string's, number's or literal's bytes: up to the next token, without the blanks before that.
  func range(of token: Int) -> Range<Int> {
    let start = start(of: token)
    var end = self.start(of: token + 1)
    while end > start, isBlank(byte(at: end - 1)) { end -= 1 }
    return start..<end
  }

  func bytes(in range: Range<Int>) -> UnsafeBufferPointer<UInt8> {
    precondition(range.lowerBound >= 0 && range.upperBound <= bytes.count)
    return UnsafeRawBufferPointer(rebasing: bytes[range]).assumingMemoryBound(to: UInt8.self)
  }

  private func isBlank(_ byte: UInt8) -> Bool {
    byte == 0x20 || byte == 0x0a || byte == 0x0d || byte == 0x09
  }
}

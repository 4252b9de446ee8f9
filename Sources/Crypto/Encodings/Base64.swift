/// Base64 (RFC 4648, section 4), padded. Decoding is strict: no blanks, no missing or superfluous padding, no stray bits in
/// the last character, so that every text decodes to bytes that encode to the same text.
package enum Base64 {
  package static func encode(_ bytes: [UInt8]) -> String {
    bytes.withUnsafeBytes { Base64Codec.standard.encode($0) }
  }

  /// `nil` unless `text` is the one Base64 spelling of some bytes.
  package static func decode(_ text: String) -> [UInt8]? {
    var text = text
    return text.withUTF8 { Base64Codec.standard.decode(UnsafeRawBufferPointer($0)) }
  }

  package static func decode(_ text: UnsafeRawBufferPointer) -> [UInt8]? { Base64Codec.standard.decode(text) }
}

/// Base64url (RFC 4648, section 5) without padding, as JOSE uses it. Decoding is as strict as ``Base64``'s; padding is refused.
package enum Base64URL {
  package static func encode(_ bytes: [UInt8]) -> String {
    bytes.withUnsafeBytes { Base64Codec.url.encode($0) }
  }

  package static func encode(_ bytes: UnsafeRawBufferPointer) -> String { Base64Codec.url.encode(bytes) }

  /// The characters that `count` bytes become.
  package static func encodedLength(of count: Int) -> Int { Base64Codec.url.encodedLength(of: count) }

  /// Writes the text of `bytes` to the start of `output`, which must have room for ``encodedLength(of:)`` characters;
  /// gives how many were written.
  @discardableResult
  package static func encode(_ bytes: UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer) -> Int {
    Base64Codec.url.encode(bytes, into: output)
  }

  /// `nil` unless `text` is the one unpadded Base64url spelling of some bytes.
  package static func decode(_ text: String) -> [UInt8]? {
    var text = text
    return text.withUTF8 { Base64Codec.url.decode(UnsafeRawBufferPointer($0)) }
  }

  package static func decode(_ text: UnsafeRawBufferPointer) -> [UInt8]? { Base64Codec.url.decode(text) }
}

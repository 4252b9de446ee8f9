/// Percent-decoding of the parts of a request target (RFC 3986 section 2.1), strict.
enum PercentCoding {
  enum Form {
    /// A path segment: `+` is a plus sign.
    case segment
    /// A query or a form body: `+` is a space.
    case form
  }

  /// Refuses a `%` without two hexadecimal digits, an encoded NUL and anything that is not UTF-8 once decoded.
  static func decode(_ bytes: Span<UInt8>, _ form: Form) throws(HTTPError) -> String {
    var plain = true
    for position in bytes.indices where bytes[position] == 0x25 || bytes[position] == 0x2b { plain = false }
    if plain { return try text(bytes) }

    var decoded: [UInt8] = []
    decoded.reserveCapacity(bytes.count)
    var position = 0
    while position < bytes.count {
      switch bytes[position] {
      case 0x25:
        decoded.append(try escape(bytes, position))
        position += 3
      case 0x2b where form == .form:
        decoded.append(0x20)
        position += 1
      default:
        decoded.append(bytes[position])
        position += 1
      }
    }
    return try text(decoded.span)
  }

  private static func escape(_ bytes: Span<UInt8>, _ position: Int) throws(HTTPError) -> UInt8 {
    guard position + 2 < bytes.count, let high = FieldSyntax.hexValue(bytes[position + 1]),
      let low = FieldSyntax.hexValue(bytes[position + 2])
    else { throw HTTPError(.malformedTarget, "a percent sign must be followed by two hexadecimal digits") }
    let byte = high << 4 | low
    guard byte != 0 else { throw HTTPError(.malformedTarget, "an encoded NUL is not allowed") }
    return byte
  }

  private static func text(_ bytes: Span<UInt8>) throws(HTTPError) -> String {
    do {
      return String(copying: try UTF8Span(validating: bytes))
    } catch {
      throw HTTPError(.malformedTarget, "percent-decoded text must be UTF-8")
    }
  }
}

internal import Glibc

/// Turns a string's content as written into its characters. The content is valid UTF-8 without raw control characters; the
/// first pass saw to that.
enum JSONUnescaping {
  static func firstEscape(in raw: UnsafeBufferPointer<UInt8>) -> Int? {
    guard let start = raw.baseAddress, let found = memchr(start, Int32(UInt8(ascii: "\\")), raw.count) else {
      return nil
    }
    return UnsafeRawPointer(found) - UnsafeRawPointer(start)
  }

  /// Appends the characters of `raw`, whose first escape is at `escape`. `offset` is where `raw` begins in the document.
  static func append(
    _ raw: UnsafeBufferPointer<UInt8>, from escape: Int, at offset: Int, to output: inout [UInt8]
  ) throws(JSONError) {
    output.append(contentsOf: raw[..<escape])
    var index = escape
    while index < raw.count {
      let byte = raw[index]
      guard byte == UInt8(ascii: "\\") else {
        output.append(byte)
        index += 1
        continue
      }
      guard index + 1 < raw.count else { throw JSONError(.invalidEscape, at: offset + index) }
      if raw[index + 1] == UInt8(ascii: "u") {
        index = try appendScalar(raw, escape: index, at: offset, to: &output)
      } else {
        guard let character = shortEscape(raw[index + 1]) else { throw JSONError(.invalidEscape, at: offset + index) }
        output.append(character)
        index += 2
      }
    }
  }

  private static func shortEscape(_ letter: UInt8) -> UInt8? {
    switch letter {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): letter
    case UInt8(ascii: "b"): 0x08
    case UInt8(ascii: "f"): 0x0c
    case UInt8(ascii: "n"): 0x0a
    case UInt8(ascii: "r"): 0x0d
    case UInt8(ascii: "t"): 0x09
    default: nil
    }
  }

  /// Gives the index after the escape, or after both of a surrogate pair's.
  private static func appendScalar(
    _ raw: UnsafeBufferPointer<UInt8>, escape: Int, at offset: Int, to output: inout [UInt8]
  ) throws(JSONError) -> Int {
    guard let unit = codeUnit(raw, escape: escape) else { throw JSONError(.invalidEscape, at: offset + escape) }
    guard unit != 0 else { throw JSONError(.nulCharacter, at: offset + escape) }
    if let scalar = Unicode.Scalar(unit) {
      output.append(contentsOf: UTF8.encode(scalar)!)
      return escape + 6
    }
    guard UTF16.isLeadSurrogate(UInt16(unit)), let low = codeUnit(raw, escape: escape + 6),
      low >> 10 == 0x37, let scalar = Unicode.Scalar(0x10000 + (unit & 0x3ff) << 10 + low & 0x3ff)
    else { throw JSONError(.loneSurrogate, at: offset + escape) }
    output.append(contentsOf: UTF8.encode(scalar)!)
    return escape + 12
  }

  /// The four digits of a `\uXXXX` at `escape`; `nil` if there is none.
  private static func codeUnit(_ raw: UnsafeBufferPointer<UInt8>, escape: Int) -> UInt32? {
    guard escape + 6 <= raw.count, raw[escape] == UInt8(ascii: "\\"), raw[escape + 1] == UInt8(ascii: "u") else {
      return nil
    }
    var unit: UInt32 = 0
    for index in (escape + 2)..<(escape + 6) {
      guard let digit = Character(Unicode.Scalar(raw[index])).hexDigitValue else { return nil }
      unit = unit << 4 | UInt32(digit)
    }
    return unit
  }
}

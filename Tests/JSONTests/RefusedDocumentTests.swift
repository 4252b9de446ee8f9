import JSON
import Testing

/// One text that must be refused, and how.
struct RefusedDocument: Sendable, CustomTestStringConvertible {
  let bytes: [UInt8]
  let code: JSONError.Code
  let offset: Int
  var pointer: String?

  init(_ text: String, _ code: JSONError.Code, at offset: Int, in pointer: String? = nil) {
    self.init(Array(text.utf8), code, at: offset, in: pointer)
  }

  init(_ bytes: [UInt8], _ code: JSONError.Code, at offset: Int, in pointer: String? = nil) {
    self.bytes = bytes
    self.code = code
    self.offset = offset
    self.pointer = pointer
  }

  var testDescription: String { "\(code.rawValue): " + String(decoding: bytes.prefix(40), as: UTF8.self) }
}

@Suite("Documents that are refused")
struct RefusedDocumentTests {
  static let structure: [RefusedDocument] = [
    .init("", .empty, at: 0),
    .init(" \n\t\r ", .empty, at: 0),
    .init("{", .unexpectedEnd, at: 1),
    .init("[", .unexpectedEnd, at: 1, in: "/0"),
    .init("[1", .unexpectedEnd, at: 2),
    .init("[1,", .unexpectedEnd, at: 3, in: "/1"),
    .init("{\"a\"", .unexpectedEnd, at: 4),
    .init("{\"a\":", .unexpectedEnd, at: 5, in: "/a"),
    .init("{\"a\":1", .unexpectedEnd, at: 6),
    .init("{\"a\":1,", .unexpectedEnd, at: 7),
    .init("]", .expectedValue, at: 0),
    .init("}", .expectedValue, at: 0),
    .init(",", .expectedValue, at: 0),
    .init(":", .expectedValue, at: 0),
    .init("[,1]", .expectedValue, at: 1, in: "/0"),
    .init("[1,]", .expectedValue, at: 3, in: "/1"),
    .init("[1,,2]", .expectedValue, at: 3, in: "/1"),
    .init("[1 2]", .expectedSeparator, at: 3),
    .init("[1:2]", .expectedSeparator, at: 2),
    .init("[\"a\" \"b\"]", .expectedSeparator, at: 5),
    .init("[\"a\"\"b\"]", .expectedSeparator, at: 4),
    .init("[1}", .expectedSeparator, at: 2),
    .init("{\"a\":1]", .expectedSeparator, at: 6),
    .init("{\"a\":1,}", .expectedName, at: 7),
    .init("{,}", .expectedName, at: 1),
    .init("{1:2}", .expectedName, at: 1),
    .init("{a:2}", .expectedName, at: 1),
    .init("{'a':2}", .expectedName, at: 1),
    .init("{null:2}", .expectedName, at: 1),
    .init("{[]:2}", .expectedName, at: 1),
    .init("{\"a\" 1}", .expectedColon, at: 5),
    .init("{\"a\",1}", .expectedColon, at: 4),
    .init("{\"a\"}", .expectedColon, at: 4),
    .init("{\"a\"::1}", .expectedValue, at: 5, in: "/a"),
    .init("{\"a\":}", .expectedValue, at: 5, in: "/a"),
    .init("1 2", .trailingContent, at: 2),
    .init("{} {}", .trailingContent, at: 3),
    .init("[]]", .trailingContent, at: 2),
    .init("{}}", .trailingContent, at: 2),
    .init("[],", .trailingContent, at: 2),
    .init("\"a\"b", .trailingContent, at: 3),
    .init("\"a\"1", .trailingContent, at: 3),
    .init("{}\u{0}", .trailingContent, at: 2),
    .init("null\u{0}", .invalidLiteral, at: 0),
    .init("[1] // note", .trailingContent, at: 4),
    .init("/* note */ [1]", .invalidLiteral, at: 0),
    .init("# note\n[1]", .invalidLiteral, at: 0),
    .init("[1\u{c}]", .expectedSeparator, at: 2),
    .init("[\u{a0}1]", .invalidLiteral, at: 1, in: "/0"),
    .init("[\u{2028}]", .invalidLiteral, at: 1, in: "/0"),
  ]

  static let literalsAndNumbers: [RefusedDocument] = [
    .init("nul", .invalidLiteral, at: 0),
    .init("nulll", .invalidLiteral, at: 0),
    .init("True", .invalidLiteral, at: 0),
    .init("TRUE", .invalidLiteral, at: 0),
    .init("truefalse", .invalidLiteral, at: 0),
    .init("undefined", .invalidLiteral, at: 0),
    .init("NaN", .invalidLiteral, at: 0),
    .init("Infinity", .invalidLiteral, at: 0),
    .init("-Infinity", .invalidNumber, at: 0),
    .init("-", .invalidNumber, at: 0),
    .init("--1", .invalidNumber, at: 0),
    .init("+1", .invalidLiteral, at: 0),
    .init("01", .invalidNumber, at: 0),
    .init("-01", .invalidNumber, at: 0),
    .init("00", .invalidNumber, at: 0),
    .init("1.", .invalidNumber, at: 0),
    .init(".5", .invalidLiteral, at: 0),
    .init("-.5", .invalidNumber, at: 0),
    .init("1.e5", .invalidNumber, at: 0),
    .init("1e", .invalidNumber, at: 0),
    .init("1e+", .invalidNumber, at: 0),
    .init("1e1.5", .invalidNumber, at: 0),
    .init("0x10", .invalidNumber, at: 0),
    .init("1_000", .invalidNumber, at: 0),
    .init("1a", .invalidNumber, at: 0),
    .init("1é", .invalidNumber, at: 0),
    .init("１", .invalidLiteral, at: 0),
    .init("{\"a\":[0,1,2x]}", .invalidNumber, at: 10, in: "/a/2"),
  ]

  static let strings: [RefusedDocument] = [
    .init("\"", .unterminatedString, at: 0),
    .init("\"abc", .unterminatedString, at: 0),
    .init("[\"a\\\"]", .unterminatedString, at: 1),
    .init("{\"a", .unterminatedString, at: 1),
    .init("\"\\", .unterminatedString, at: 0),
    .init("'a'", .invalidLiteral, at: 0),
    .init("\"a\nb\"", .controlCharacter, at: 2),
    .init("\"a\tb\"", .controlCharacter, at: 2),
    .init("\"\u{0}\"", .controlCharacter, at: 1),
    .init("\"\u{1f}\"", .controlCharacter, at: 1),
    .init("\"\\\n\"", .controlCharacter, at: 2),
    .init("{\"a\nb\":1}", .controlCharacter, at: 3),
    .init("\"\\x41\"", .invalidEscape, at: 1),
    .init("\"\\a\"", .invalidEscape, at: 1),
    .init("\"\\'\"", .invalidEscape, at: 1),
    .init("\"\\0\"", .invalidEscape, at: 1),
    .init("\"\\U0041\"", .invalidEscape, at: 1),
    .init("\"\\u\"", .invalidEscape, at: 1),
    .init("\"\\u004\"", .invalidEscape, at: 1),
    .init("\"\\u004g\"", .invalidEscape, at: 1),
    .init("\"\\u+041\"", .invalidEscape, at: 1),
    .init("\"\\u００４１\"", .invalidEscape, at: 1),
    .init("\"\\é\"", .invalidEscape, at: 1),
    .init("\"a\\u0000b\"", .nulCharacter, at: 2),
    .init("{\"a\\u0000\":1}", .nulCharacter, at: 3),
    .init("{\"t\":{\"a\\u0000\":1}}", .nulCharacter, at: 8, in: "/t"),
    .init("\"\\ud800\"", .loneSurrogate, at: 1),
    .init("\"\\udbff\"", .loneSurrogate, at: 1),
    .init("\"\\udc00\"", .loneSurrogate, at: 1),
    .init("\"\\udfff\"", .loneSurrogate, at: 1),
    .init("\"\\udc00\\ud800\"", .loneSurrogate, at: 1),
    .init("\"\\ud800\\ud800\"", .loneSurrogate, at: 1),
    .init("\"\\ud800\\u0041\"", .loneSurrogate, at: 1),
    .init("\"\\ud800x\"", .loneSurrogate, at: 1),
    .init("\"\\ud83d\\n\"", .loneSurrogate, at: 1),
    .init("\"\\ud800\\udc0\"", .loneSurrogate, at: 1),
    .init("\"\\ud83d\\ude00\\ud83d\"", .loneSurrogate, at: 13),
    .init("{\"\\udead\":1}", .loneSurrogate, at: 2),
    .init("{\"a\":{\"b~/c\":[\"\\udead\"]}}", .loneSurrogate, at: 15, in: "/a/b~0~1c/0"),
  ]

  static let encodings: [RefusedDocument] = [
    .init([0xef, 0xbb, 0xbf, 0x7b, 0x7d], .byteOrderMark, at: 0),
    .init([0xef, 0xbb, 0xbf], .byteOrderMark, at: 0),
    .init([0x22, 0xff, 0xfe, 0x22], .invalidUTF8, at: 1),
    .init([0x22, 0xc0, 0x80, 0x22], .invalidUTF8, at: 1),  // overlong NUL
    .init([0x22, 0xe0, 0x80, 0xaf, 0x22], .invalidUTF8, at: 1),  // overlong slash
    .init([0x22, 0xed, 0xa0, 0x80, 0x22], .invalidUTF8, at: 1),  // a surrogate, raw
    .init([0x22, 0xf4, 0x90, 0x80, 0x80, 0x22], .invalidUTF8, at: 1),  // beyond U+10FFFF
    .init([0x22, 0xf5, 0x80, 0x80, 0x80, 0x22], .invalidUTF8, at: 1),
    .init([0x22, 0x61, 0xc3, 0x22], .invalidUTF8, at: 2),  // cut off before the quote
    .init([0x22, 0x61, 0xe2, 0x82], .invalidUTF8, at: 2),  // cut off by the end
    .init([0x22, 0x80, 0x22], .invalidUTF8, at: 1),
    .init([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d], .invalidUTF8, at: 2),  // in a name
    .init([0x5b, 0xff, 0x5d], .invalidUTF8, at: 1),  // outside of strings
    .init([0xff, 0xfe, 0x5b, 0x00, 0x5d, 0x00], .invalidUTF8, at: 0),  // UTF-16
    .init([0x00, 0x5b, 0x00, 0x5d], .invalidLiteral, at: 0),
  ]

  static let names: [RefusedDocument] = [
    .init("{\"a\":1,\"a\":1}", .duplicateName, at: 7, in: "/a"),
    .init("{\"a\":1,\"\\u0061\":2}", .duplicateName, at: 7, in: "/a"),
    .init("{\"\":1,\"\":2}", .duplicateName, at: 6, in: "/"),
    .init("{\"o\":[{\"b\":1,\"b\":2}]}", .duplicateName, at: 13, in: "/o/0/b"),
    .init("{\"é\":1,\"\\u00e9\":2}", .duplicateName, at: 8, in: "/é"),
    .init("{\"😀\":1,\"\\ud83d\\ude00\":2}", .duplicateName, at: 10, in: "/😀"),
  ]

  @Test(
    "A text that is not one strict document is refused with its reason and place",
    arguments: structure + literalsAndNumbers + strings + encodings + names)
  func refused(document: RefusedDocument) throws {
    let error = #expect(throws: JSONError.self) { try JSONValue(parsing: document.bytes) }
    #expect(error?.code == document.code)
    #expect(error?.offset == document.offset)
    #expect(error?.pointer?.text == document.pointer ?? "")
  }

  @Test("Refused is refused wherever the text stands in a larger one", arguments: literalsAndNumbers + strings + names)
  func refusedInside(document: RefusedDocument) throws {
    // 64 bytes are what the fast pass takes at a time: every place of the fault within such a block.
    for blanks in 0..<64 {
      let bytes = Array("[".utf8) + Array(repeating: 0x20, count: blanks) + document.bytes + Array(" ]".utf8)
      #expect(throws: JSONError.self) { try JSONValue(parsing: bytes) }
    }
  }

  @Test("Names repeated far apart in a large object are found")
  func farDuplicates() {
    for (count, repeated) in [(16, 0), (17, 0), (17, 15), (17, 16), (5000, 4321)] {
      let members = (0..<count).map { "\"n\($0)\":0" } + ["\"n\(repeated)\":0"]
      let error = #expect(throws: JSONError.self) {
        try JSONValue(parsing: Array("{\(members.joined(separator: ","))}".utf8))
      }
      #expect(error?.code == .duplicateName)
      #expect(error?.pointer?.text == "/n\(repeated)")
    }
  }

  @Test("An error neither repeats the document nor grows with its names")
  func quietErrors() {
    let name = String(repeating: "n", count: 1000)
    let error = #expect(throws: JSONError.self) {
      try JSONValue(parsing: Array("{\"\(name)\":[\"topsecret\" 1]}".utf8))
    }
    #expect(error?.code == .expectedSeparator)
    #expect(error?.pointer == nil)
    #expect(error.map { "\($0)" } == "a comma or a closing bracket is missing (byte 1017)")
  }
}

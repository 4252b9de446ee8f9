import JSON
import Testing

@Suite("Documents that are accepted")
struct AcceptedDocumentTests {
  /// What is read, and the compact form it is written as.
  static let documents: [(text: String, compact: String)] = [
    ("null", "null"), ("true", "true"), ("false", "false"), ("\"\"", "\"\""), ("[]", "[]"), ("{}", "{}"),
    (" \t\r\n[ ] \n", "[]"), ("{ }", "{}"), ("[ [ ] , { } ]", "[[],{}]"),
    ("0", "0"), ("-0", "-0"), ("1.0", "1.0"), ("-1.50", "-1.50"), ("1e400", "1e400"), ("1E+2", "1E+2"),
    ("0.1e-7", "0.1e-7"), ("9223372036854775808", "9223372036854775808"),
    ("123456789012345678901234567890.0987654321", "123456789012345678901234567890.0987654321"),
    ("[1,2 ,3]", "[1,2,3]"), ("{\"b\":1,\"a\":{\"z\":null,\"y\":[]}}", "{\"b\":1,\"a\":{\"z\":null,\"y\":[]}}"),
    (
      "{\"n\":null,\"f\":false,\"z\":0,\"l\":[],\"o\":{\"d\":1.0,\"t\":true}}",
      "{\"n\":null,\"f\":false,\"z\":0,\"l\":[],\"o\":{\"d\":1.0,\"t\":true}}"
    ),
    ("{\"\":1}", "{\"\":1}"), ("{\"a\":1,\"A\":2}", "{\"a\":1,\"A\":2}"),
    ("\"\\\"\\\\\\/\\b\\f\\n\\r\\t\"", "\"\\\"\\\\/\\b\\f\\n\\r\\t\""),
    ("\"\\u0041\\u00e9\\u20ac\\ud83d\\ude00\"", "\"Aé€😀\""), ("\"\\u001f\\u007f\"", "\"\\u001f\u{7f}\""),
    ("\"\\uD83D\\uDE00\"", "\"😀\""), ("\"\\\\u0000\"", "\"\\\\u0000\""), ("\"\\uFFFF\\ufffe\"", "\"\u{ffff}\u{fffe}\""),
    ("\"a/b\"", "\"a/b\""), ("\"\u{2028}\u{2029}\"", "\"\u{2028}\u{2029}\""), ("\"\u{7f}\"", "\"\u{7f}\""),
    ("\"\u{10ffff}\"", "\"\u{10ffff}\""), ("\"\\ud800\\udc00\\udbff\\udfff\"", "\"\u{10000}\u{10ffff}\""),
    ("\"[1,{\\\"a\\\":2}]\"", "\"[1,{\\\"a\\\":2}]\""), ("[\"a\\\\\",\"b\"]", "[\"a\\\\\",\"b\"]"),
  ]

  @Test("A document is read and written with the same digits, order and types", arguments: documents)
  func roundTrip(text: String, compact: String) throws {
    let value = try JSONValue(parsing: Array(text.utf8))
    #expect(String(decoding: value.encoded(), as: UTF8.self) == compact)
    #expect(try JSONValue(parsing: value.encoded()) == value)
  }

  @Test("A document is read alike wherever it lies against the blocks of the fast pass", arguments: documents)
  func everyAlignment(text: String, compact: String) throws {
    for blanks in 0..<64 {
      let bytes = Array("[".utf8) + Array(repeating: 0x20, count: blanks) + Array(text.utf8) + Array("]".utf8)
      #expect(String(decoding: try JSONValue(parsing: bytes).encoded(), as: UTF8.self) == "[\(compact)]")
    }
  }

  @Test("Composed and decomposed letters are two names")
  func namesAreBytes() throws {
    let composed = "\u{e9}"
    let decomposed = "e\u{301}"
    #expect(composed == decomposed)
    let many = (0..<20).map { ",\"n\($0)\":0" }.joined()
    for tail in ["", many] {
      let value = try JSONValue(parsing: Array("{\"\(composed)\":1,\"\(decomposed)\":2\(tail)}".utf8))
      #expect(value[composed]?.number?.int64 == 1)
      #expect(value[decomposed]?.number?.int64 == 2)
    }
  }

  @Test("Members are found in small and large objects")
  func lookUp() throws {
    for count in [0, 1, 16, 17, 1000] {
      let text = "{" + (0..<count).map { "\"n\($0)\":\($0)" }.joined(separator: ",") + "}"
      let object = try #require(try JSONValue(parsing: Array(text.utf8)).object)
      #expect(object.count == count)
      #expect((0..<count).allSatisfy { object["n\($0)"]?.number?.int64 == Int64($0) })
      #expect(object["n\(count)"] == nil)
      #expect(object.members.map(\.name) == (0..<count).map { "n\($0)" })
    }
  }

  @Test("The innermost of the allowed levels is read, one more is not", arguments: [1, 2, 32, 64])
  func depth(limit: Int) throws {
    let limits = JSONLimits(maxDepth: limit)
    for (open, close) in [("[", "]"), ("{\"a\":", "}")] {
      let inner = open == "[" ? "" : "1"
      let deepest = String(repeating: open, count: limit) + inner + String(repeating: close, count: limit)
      #expect(throws: Never.self) { try JSONValue(parsing: Array(deepest.utf8), limits: limits) }
      let error = #expect(throws: JSONError.self) {
        try JSONValue(parsing: Array((open + deepest + close).utf8), limits: limits)
      }
      #expect(error?.code == .tooDeep)
      #expect(error?.offset == open.utf8.count * limit)
    }
  }

  @Test("The largest allowed document is read, one byte more is not")
  func size() throws {
    let limits = JSONLimits(maxBytes: 1000)
    let largest = Array("\"\(String(repeating: "x", count: 998))\"".utf8)
    #expect(try JSONValue(parsing: largest, limits: limits).string?.utf8.count == 998)
    let error = #expect(throws: JSONError.self) { try JSONValue(parsing: largest + [0x20], limits: limits) }
    #expect(error?.code == .tooLarge)
  }

  @Test("A number may have as many characters as allowed")
  func numberLength() throws {
    let longest = "-" + String(repeating: "9", count: 127)
    #expect(try JSONValue(parsing: Array(longest.utf8)).number?.text == longest)
    let error = #expect(throws: JSONError.self) { try JSONValue(parsing: Array((longest + "9").utf8)) }
    #expect(error?.code == .numberTooLong)
  }

  @Test("A number gives its exact value, or none")
  func numbers() {
    func number(_ text: String) -> JSONNumber? { JSONNumber(text) }
    #expect(number("9223372036854775807")?.int64 == .max)
    #expect(number("-9223372036854775808")?.int64 == .min)
    #expect(number("9223372036854775808")?.int64 == nil)
    #expect(number("18446744073709551615")?.uint64 == .max)
    #expect(number("-1")?.uint64 == nil)
    #expect(number("-0")?.int64 == 0)
    #expect(number("1.0")?.int64 == nil)
    #expect(number("1e2")?.int64 == nil)
    #expect(number("1.0")?.isInteger == false)
    #expect(number("1.0")?.double == 1)
    #expect(number("1e400")?.double == nil)
    #expect(number("-1e400")?.double == nil)
    #expect(number("0.1")?.double == 0.1)
    #expect(number("") == nil)
    #expect(number("1 ") == nil)
    #expect(number("nan") == nil)
  }
}

import HTTP
import Testing

@Suite struct MediaTypeTests {
  @Test func typesAndNamesAreLoweredValuesAreKept() throws {
    let type = try MediaType(parsing: " Application/JSON ; Charset=UTF-8;v=\"a;\\\"b\" ")
    #expect(type.essence == "application/json")
    #expect(type.parameters == ["charset": "UTF-8", "v": "a;\"b"])
  }

  @Test(arguments: [
    ("application/json", true), ("application/json; charset=utf-8", true), ("application/json;charset=\"UTF-8\"", true),
    ("application/json; charset=latin1", false), ("text/json", false), ("application/json5", false),
    ("application/problem+json", false),
  ])
  func jsonIsRecognised(text: String, isJSON: Bool) throws {
    #expect(try MediaType(parsing: text).isJSON == isJSON)
  }

  @Test(arguments: [
    "", "json", "application/", "/json", "application json", "application/json;", "application/json; charset",
    "application/json; =x", "application/json; a=b; a=c", "application/json; a=\"b", "application/json, text/plain",
    "application/json; a=\"\u{1}\"", "a/b;" + (0..<9).map { "p\($0)=1" }.joined(separator: ";"),
  ])
  func aMalformedTypeIsRefused(text: String) {
    let error = #expect(throws: HTTPError.self) { try MediaType(parsing: text) }
    #expect(error?.code == .malformedMediaType)
  }
}

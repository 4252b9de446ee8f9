import HTTP
import Testing

@Suite struct HTTPFieldsTests {
  @Test func namesCompareWithoutCaseAndOrderIsKept() {
    var fields: HTTPFields = ["Content-Type": "text/plain", "X-One": "1"]
    fields.append("x-one", "2")
    #expect(fields["CONTENT-TYPE"] == "text/plain")
    #expect(fields["x-ONE"] == "1")
    #expect(fields.map(\.name) == ["Content-Type", "X-One", "x-one"])
  }

  @Test func duplicatesStayVisible() {
    var fields = HTTPFields()
    fields.append("Authorization", "Bearer a")
    fields.append("authorization", "Bearer b")
    #expect(fields.values(of: "Authorization") == ["Bearer a", "Bearer b"])
    #expect(fields.count == 2)
  }

  @Test func aMissingFieldIsNil() {
    let fields: HTTPFields = ["Host": "example.com"]
    #expect(fields["Hos"] == nil)
    #expect(fields["Hostt"] == nil)
    #expect(fields.values(of: "Cookie").isEmpty)
    #expect(!fields.contains("Cookie"))
  }

  @Test func aValueCannotEndItsFieldAndBeginAnother() {
    var fields = HTTPFields()
    fields.append("X-Request-ID", "a\r\nSet-Cookie: b\0\u{7f}\t.")
    #expect(fields["X-Request-ID"] == "a  Set-Cookie: b  \t.")
  }

  @Test func setReplacesEveryFieldOfThatName() {
    var fields: HTTPFields = ["A": "1", "B": "2"]
    fields.append("a", "3")
    fields.set("A", "4")
    #expect(fields == ["B": "2", "A": "4"])
  }

  @Test func equalityHonoursOrderAndIgnoresTheCaseOfNames() {
    let one: HTTPFields = ["A": "1", "B": "2"]
    #expect(one == ["a": "1", "b": "2"])
    #expect(one != ["B": "2", "A": "1"])
    #expect(one != ["A": "1", "B": "x"])
    #expect(one != ["A": "1"])
  }

  @Test func aFieldIsReadFromTheSharedText() {
    // What a reader hands over: other text in front, fields behind one another.
    let fields = HTTPFields(
      checkedText: Array("GETHostexample.comX".utf8),
      lines: [.init(start: 3, nameLength: 4, valueLength: 11), .init(start: 18, nameLength: 1, valueLength: 0)])
    #expect(fields["host"] == "example.com")
    #expect(fields["x"] == "")
  }
}

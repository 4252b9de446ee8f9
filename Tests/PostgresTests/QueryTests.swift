import Postgres
import Testing

@Suite struct QueryTests {
  @Test func interpolationsBecomeNumberedParameters() {
    let query: Query = "SELECT \("a"), \(2) WHERE x = \(true)"
    #expect(query.sql == "SELECT $1, $2 WHERE x = $3")
  }

  @Test func anEmbeddedFragmentIsNumberedOn() {
    let condition: Query = "b = \(2) AND c = \("x")"
    let query: Query = "SELECT 1 WHERE a = \(1) AND \(fragment: condition) AND d = \(4)"
    #expect(query.sql == "SELECT 1 WHERE a = $1 AND b = $2 AND c = $3 AND d = $4")
  }

  @Test func unescapedTextIsAddedAsItStands() {
    let query: Query = "SELECT \(unescaped: "count(*)") FROM t WHERE a = \(1)"
    #expect(query.sql == "SELECT count(*) FROM t WHERE a = $1")
  }

  @Test func printingShowsNoValue() {
    let query: Query = "SELECT \("hunter2"), \(Array("hunter3".utf8))"
    var dumped = ""
    dump(query, to: &dumped)
    #expect(!"\(query) \(String(reflecting: query)) \(dumped)".contains("hunter"))
  }
}

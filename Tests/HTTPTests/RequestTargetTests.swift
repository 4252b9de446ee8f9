import HTTP
import Testing

@Suite struct RequestTargetTests {
  @Test(arguments: [
    ("/", []),
    ("/push/v1/apps", ["push", "v1", "apps"]),
    ("/a/", ["a", ""]),
    ("/a//b", ["a", "", "b"]),
    ("//evil.example/x", ["", "evil.example", "x"]),
    ("/caf%C3%A9/%F0%9F%9A%80", ["café", "🚀"]),
    ("/a+b", ["a+b"]),
    ("/users/org%2F42", ["users", "org/42"]),
    ("/a%20b%25", ["a b%"]),
    ("/...", ["..."]),
    ("/a?x=/../y", ["a"]),
    ("http://example.com/a/b?c=d", ["a", "b"]),
    ("HTTPS://example.com:8443", []),
  ])
  func aPathIsSplitFirstAndDecodedAfterwards(text: String, path: [String]) throws {
    let target = try RequestTarget(parsing: text)
    #expect(target.path == path)
    #expect(target.raw == text)
  }

  @Test(arguments: [
    "", "a", "*a", "?x", "http://", "http:///a", "ftp://example.com/", "example.com:443",
    "/%", "/%4", "/%zz", "/%4g", "/a%00b", "/%ff", "/%C3", "/%ED%A0%80", "/%C0%80",
    "/.", "/..", "/a/../b", "/a/./b", "/%2e%2e/b", "/.%2E", "/a#b", "/a?b#c", "/?x=%00", "/?%zz=1", "/?x=%f",
  ])
  func aMalformedTargetIsRefused(text: String) {
    #expect(throws: HTTPError.self) { try RequestTarget(parsing: text) }
  }

  @Test func theAuthorityOfAnAbsoluteTargetIsKept() throws {
    #expect(try RequestTarget(parsing: "http://example.com:80/a").authority == "example.com:80")
    #expect(try RequestTarget(parsing: "http://example.com?a=b").authority == "example.com")
    #expect(try RequestTarget(parsing: "/a").authority == nil)
  }

  @Test func theAsteriskHasNoPath() throws {
    let target = try RequestTarget(parsing: "*")
    #expect(target.isAsterisk)
    #expect(target.path.isEmpty)
  }

  @Test func segmentsAreBounded() throws {
    let most = String(repeating: "/a", count: RequestTarget.maximumSegments)
    #expect(try RequestTarget(parsing: most).path.count == RequestTarget.maximumSegments)
    #expect(throws: HTTPError.self) { try RequestTarget(parsing: most + "/a") }
  }

  @Test func anErrorDoesNotRepeatWhatTheClientSent() {
    let error = #expect(throws: HTTPError.self) { try RequestTarget(parsing: "/secret%zz") }
    #expect(error?.code == .malformedTarget)
    #expect(error?.description.contains("secret") == false)
  }

  @Test func aQueryIsDecodedInOrderWithItsDuplicates() throws {
    let query = try RequestTarget(parsing: "/a?limit=5&cursor=a%2Bb+c&empty=&flag&limit=6&&x=y=z").query
    #expect(
      query.items == [
        .init(name: "limit", value: "5"), .init(name: "cursor", value: "a+b c"), .init(name: "empty", value: ""),
        .init(name: "flag", value: ""), .init(name: "limit", value: "6"), .init(name: "x", value: "y=z"),
      ])
    #expect(query["limit"] == "5")
    #expect(query.values(of: "limit") == ["5", "6"])
    #expect(query["Limit"] == nil)
  }

  @Test func queryItemsAreBounded() throws {
    let most = "/?" + String(repeating: "a&", count: QueryItems.maximumCount)
    #expect(try RequestTarget(parsing: most).query.items.count == QueryItems.maximumCount)
    #expect(throws: HTTPError.self) { try RequestTarget(parsing: most + "a") }
  }
}

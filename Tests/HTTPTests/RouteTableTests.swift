import HTTP
import Testing

@Suite struct RouteTableTests {
  private static func make(_ routes: (HTTPMethod, String)...) throws -> RouteTable<String> {
    var table = RouteTable<String>()
    for (method, template) in routes { try table.add(method, template, "\(method.rawValue) \(template)") }
    return table
  }

  /// The match as one comparable text.
  private static func text(_ match: RouteMatch<String>) -> String {
    switch match {
    case .found(let value, let template, let parameters):
      "\(value) [\(template)] " + parameters.all.map { "\($0.name)=\($0.value)" }.joined(separator: ",")
    case .options(let allow): "options \(allow.allowField)"
    case .methodNotAllowed(let allow): "405 \(allow.allowField)"
    case .notFound: "404"
    }
  }

  @Test func parametersGetTheirDecodedValues() throws {
    let table = try Self.make((.delete, "/push/v1/apps/{app_id}/keys/{id}"))
    let path = try RequestTarget(parsing: "/push/v1/apps/app_1/keys/a%2Fb").path
    #expect(
      Self.text(table.match(.delete, path))
        == "DELETE /push/v1/apps/{app_id}/keys/{id} [/push/v1/apps/{app_id}/keys/{id}] app_id=app_1,id=a/b")
  }

  @Test func aLiteralBeatsAParameter() throws {
    let table = try Self.make((.get, "/segments/{id}"), (.get, "/segments/preview"))
    #expect(Self.text(table.match(.get, ["segments", "preview"])).hasPrefix("GET /segments/preview"))
    #expect(Self.text(table.match(.get, ["segments", "seg_1"])).hasPrefix("GET /segments/{id}"))
  }

  @Test func aLiteralThatLeadsNowhereGivesWayToTheParameter() throws {
    let table = try Self.make((.get, "/live/start/now"), (.get, "/live/{id}/end"))
    #expect(Self.text(table.match(.get, ["live", "start", "end"])) == "GET /live/{id}/end [/live/{id}/end] id=start")
  }

  @Test func oneFittingPathDecidesForAllMethods() throws {
    let table = try Self.make((.get, "/segments/{id}"), (.post, "/segments/preview"))
    #expect(Self.text(table.match(.get, ["segments", "preview"])) == "405 POST, OPTIONS")
  }

  @Test func unknownPathsAreNotFound() throws {
    let table = try Self.make((.get, "/apps/{id}"), (.get, "/"))
    for path in [["apps"], ["apps", ""], ["apps", "a", ""], ["apps", "a", "b"], ["Apps", "a"], [""]] {
      #expect(Self.text(table.match(.get, path)) == "404", "\(path)")
    }
    #expect(Self.text(table.match(.get, [])) == "GET / [/] ")
  }

  @Test func aKnownPathWithAnotherMethodSaysWhatIsAllowed() throws {
    let table = try Self.make((.post, "/apps"), (.get, "/apps"), (.put, "/apps/{id}"))
    #expect(Self.text(table.match(.delete, ["apps"])) == "405 GET, HEAD, POST, OPTIONS")
    #expect(Self.text(table.match(.head, ["apps", "a"])) == "405 PUT, OPTIONS")
  }

  @Test func headIsAnsweredByGetUnlessItHasItsOwnRoute() throws {
    #expect(Self.text(try Self.make((.get, "/a")).match(.head, ["a"])) == "GET /a [/a] ")
    #expect(Self.text(try Self.make((.get, "/a"), (.head, "/a")).match(.head, ["a"])) == "HEAD /a [/a] ")
  }

  @Test func optionsIsAnsweredForEveryKnownPath() throws {
    let table = try Self.make((.get, "/a"), (.patch, "/a"))
    #expect(Self.text(table.match(.options, ["a"])) == "options GET, HEAD, PATCH, OPTIONS")
    #expect(Self.text(table.match(.options, ["b"])) == "404")
  }

  @Test func theRestOfAPathIsTakenLast() throws {
    let table = try Self.make((.get, "/console/{path...}"), (.get, "/console/login"), (.get, "/console/{page}/edit"))
    #expect(Self.text(table.match(.get, ["console", "login"])).hasPrefix("GET /console/login "))
    #expect(Self.text(table.match(.get, ["console", "a", "edit"])).hasPrefix("GET /console/{page}/edit "))
    #expect(
      Self.text(table.match(.get, ["console", "js", "app.js"]))
        == "GET /console/{path...} [/console/{path...}] path=js/app.js")
    #expect(Self.text(table.match(.get, ["console"])) == "404")
    #expect(Self.text(table.match(.get, ["console", "a", ""])) == "404")
  }

  @Test func namesOfParametersBelongToTheirRoute() throws {
    let table = try Self.make((.get, "/apps/{id}"), (.put, "/apps/{app_id}"), (.get, "/apps/{app}/keys"))
    #expect(Self.text(table.match(.put, ["apps", "a"])) == "PUT /apps/{app_id} [/apps/{app_id}] app_id=a")
    #expect(Self.text(table.match(.get, ["apps", "a", "keys"])) == "GET /apps/{app}/keys [/apps/{app}/keys] app=a")
  }

  @Test func twoRoutesForOneMethodAndPathAreRefused() throws {
    var table = try Self.make((.get, "/apps/{id}"))
    let error = #expect(throws: HTTPError.self) { try table.add(.get, "/apps/{app_id}", "") }
    #expect(error?.code == .duplicateRoute)
  }

  @Test(arguments: [
    "", "a", "/a/", "//", "/{}", "/{a", "/a}", "/{a}b", "/a{b}", "/{a}/{a}", "/{a...}/b", "/{...}", "/a%20", "/a?b",
  ])
  func aMalformedTemplateIsRefused(template: String) {
    var table = RouteTable<String>()
    let error = #expect(throws: HTTPError.self) { try table.add(.get, template, "") }
    #expect(error?.code == .malformedTemplate)
  }

  @Test func routesAreListedInOrder() throws {
    let table = try Self.make((.post, "/b/{id}"), (.get, "/a"))
    #expect(table.routes == [Route(method: .post, template: "/b/{id}"), Route(method: .get, template: "/a")])
  }
}

import HTTP
import PushCore
import Testing

@testable import PushAPI

/// Bodies that are not one strict JSON document, and values of the wrong type: always the caller's fault, always named.
@Suite struct StrictBodyTests {
  // Case 90.
  @Test(arguments: [
    #""title":"a\u0000b""#, #""title":"x","data":{"k":"\u0000"}"#, #""title":"x","data":{"\u0000":1}"#,
    #""title":"x","apns":{"collapse_id":"\u0000"}"#,
  ])
  func nulIsRefusedAndItsPlaceNamed(_ members: String) async throws {
    let tenant = try await Tenant.make()
    let answer = try await tenant.send(#"{"target":{"type":"user","id":"u"},\#(members)}"#)
    #expect(answer.status == 400)
    #expect(answer.code == "malformed_body")
    #expect(answer.problems.first?.hasSuffix("nul_character") == true)
  }

  @Test func theSixCharactersOfAnEscapeAreText() async throws {
    let tenant = try await Tenant.make()
    let answer = try await tenant.send(#"{"target":{"type":"user","id":"u"},"title":"a\\u0000b"}"#)
    #expect(answer.status == 202)
    #expect(tenant.api.provider.drafts.last?.content.text.title == #"a\u0000b"#)
  }

  // Case 91.
  @Test(arguments: [
    Array(#"{"name":"\ud800"}"#.utf8), Array(#"{"name":"\udc00"}"#.utf8), Array(#"{"name":"\udc00\ud800"}"#.utf8),
    Array(#"{"\ud800":"x"}"#.utf8), Array(#"{"name":""#.utf8) + [0xff, 0xfe] + Array(#""}"#.utf8),
    Array(#"{"na"#.utf8) + [0xc0, 0x80] + Array(#"me":"x"}"#.utf8), Array("{\"na\nme\":\"x\"}".utf8),
    [0xef, 0xbb, 0xbf] + Array(#"{"name":"x"}"#.utf8), [], Array("{".utf8), Array(#"{"name":"x"} {}"#.utf8),
    Array(#"{"name":"x","name":"y"}"#.utf8), Array(#"{'name':'x'}"#.utf8), Array(#"{"name":NaN}"#.utf8),
  ])
  func whatIsNotOneStrictDocumentIsRefused(_ body: [UInt8]) async throws {
    let api = try await TestAPI.make()
    let answer = try await api.call(.post, "accounts", .operator, bytes: body, contentType: "application/json")
    #expect(answer.status == 400)
    #expect(answer.code == "malformed_body")
  }

  // Case 92.
  @Test func deepNestingIsRefusedWithoutHarm() async throws {
    let tenant = try await Tenant.make()
    let brackets = String(repeating: "[", count: 100_000)
    let objects = String(repeating: #"{"a":"#, count: 10_000)
    for body in [#"{"unknown":\#(brackets)"#, #"{"data":\#(objects)"#] {
      let answer = try await tenant.send(body)
      #expect(answer.status == 400)
      #expect(answer.problems.first?.hasSuffix("too_deep") == true)
    }
    #expect(try await tenant.api.call(.get, "/healthz").status == 200)
  }

  // Case 94.
  @Test(arguments: ["null", "[]", #""x""#, "1", "[null]"])
  func aBodyThatIsNoObjectIsRefused(_ body: String) async throws {
    let api = try await TestAPI.make()
    let answer = try await api.call(.post, "accounts", .operator, body: body)
    #expect(answer.status == 400)
    #expect(answer.problems == [" wrong_type"])
  }

  @Test(arguments: [
    (#""badge":"5""#, "/badge wrong_type"), (#""badge":true"#, "/badge wrong_type"),
    (#""badge":1.5"#, "/badge not_an_integer"), (#""badge":1.0"#, "/badge not_an_integer"),
    (#""badge":-1"#, "/badge out_of_range"), (#""badge":2147483648"#, "/badge out_of_range"),
    (#""badge":[null]"#, "/badge wrong_type"), (#""apns":{"priority":"10"}"#, "/apns/priority wrong_type"),
    (#""apns":[]"#, "/apns wrong_type"), (#""apns":{"mutable_content":1}"#, "/apns/mutable_content wrong_type"),
    (#""apns":{"loc_args":"x"}"#, "/apns/loc_args wrong_type"),
    (#""apns":{"loc_args":["x",1]}"#, "/apns/loc_args/1 wrong_type"), (#""data":"x""#, "/data wrong_type"),
    (#""data":[1]"#, "/data wrong_type"), (#""ttl":"300""#, "/ttl wrong_type"), (#""ttl":-1"#, "/ttl out_of_range"),
    (#""ttl":2592001"#, "/ttl out_of_range"), (#""ttl":1760000000000"#, "/ttl out_of_range"),
    (#""ttl":0.5"#, "/ttl not_an_integer"), (#""sound":5"#, "/sound wrong_type"),
    (#""sound":{"critical":false}"#, "/sound/critical not_allowed"), (#""lane":"fast""#, "/lane not_allowed"),
    (#""apns":{"push_type":"voip"}"#, "/apns/push_type not_allowed"), (#""name":"""#, "/name empty"),
    (#""image_url":"http://x/y.png""#, "/image_url not_https"),
    (#""variables":{"a-b":"x"}"#, "/variables/a-b invalid_name"),
    (#""variables":{"a":1}"#, "/variables/a wrong_type"), (#""localizations":{"fr":{}}"#, "/localizations/fr empty"),
    (#""localizations":{"f":{"title":"x"}}"#, "/localizations/f malformed_tag"),
    (#""localizations":{"fr":{"titel":"x"}}"#, "/localizations/fr/titel unknown_field"),
  ])
  func aWrongValueIsNamedByItsPlace(_ members: String, _ problem: String) async throws {
    let tenant = try await Tenant.make()
    let answer = try await tenant.send(#"{"target":{"type":"user","id":"u"},"title":"x",\#(members)}"#)
    #expect(answer.status == 400)
    #expect(answer.code == "invalid_request")
    #expect(answer.problems.contains(problem), "\(answer.problems)")
  }

  @Test func everythingWrongIsToldAtOnce() async throws {
    let tenant = try await Tenant.make()
    let answer = try await tenant.send(
      #"{"target":{"type":"user"},"titel":"x","badge":"1","apns":{"priority":null,"threadId":"t","loc_key":7}}"#)
    #expect(
      Set(answer.problems) == [
        "/target/id required", "/titel unknown_field", "/badge wrong_type", "/apns/threadId unknown_field",
        "/apns/loc_key wrong_type",
      ])
    #expect(answer.text.contains("Did you mean title?"))
    #expect(answer.text.contains("Did you mean thread_id?"))
  }

  @Test(arguments: ["text/plain", "application/x-www-form-urlencoded", "application/json; charset=latin1", "json"])
  func anotherMediaTypeIsRefused(_ type: String) async throws {
    let api = try await TestAPI.make()
    let answer = try await api.call(
      .post, "accounts", .operator, bytes: Array(#"{"name":"x"}"#.utf8), contentType: type)
    #expect(answer.status == 415)
  }

  @Test func aBodyOverTheLimitIsRefused() async throws {
    let api = try await TestAPI.make()
    let name = String(repeating: "x", count: 256 * 1024)
    let answer = try await api.call(.post, "accounts", .operator, body: #"{"name":"\#(name)"}"#)
    #expect(answer.status == 413)
    #expect(answer.code == "body_too_large")
  }

  @Test func aHugeUnknownNameIsNotRepeatedWhole() async throws {
    let api = try await TestAPI.make()
    let name = String(repeating: "x", count: 100_000)
    let answer = try await api.call(.post, "accounts", .operator, body: #"{"name":"a","\#(name)":1}"#)
    #expect(answer.status == 400)
    #expect(answer.response.body.count < 1000)
  }

  @Test func thousandsOfProblemsAreToldInTheFirstHundred() async throws {
    let tenant = try await Tenant.make()
    let ids = repeatElement("1", count: 5000).joined(separator: ",")
    let answer = try await tenant.send(#"{"target":{"type":"users","ids":[\#(ids)]},"title":"x"}"#)
    #expect(answer.status == 400)
    #expect(answer.problems.count == ProblemList.maximum)
  }

  @Test func aQueryThatACallDoesNotTakeIsRefused() async throws {
    let api = try await TestAPI.make()
    let answer = try await api.call(.post, "accounts?dry_run=true", .operator, body: #"{"name":"x"}"#)
    #expect(answer.status == 400)
    #expect(answer.problems == ["?dry_run unknown_parameter"])
  }
}

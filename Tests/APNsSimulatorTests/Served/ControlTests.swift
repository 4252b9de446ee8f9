import Crypto
import HTTP
import HTTP2
import JSON
import Testing

@testable import APNsSimulator

@Suite("Control endpoint")
struct ControlTests {
  private func call(
    _ apns: TestAPNs, _ method: HTTPMethod, _ target: String, _ body: String = ""
  ) async throws -> (status: UInt16, json: JSONValue?) {
    let head = HTTPRequestHead(method: method, target: try RequestTarget(parsing: target), fields: HTTPFields())
    let request = HTTPRequest(head: head, body: Array(body.utf8))
    let response = await ControlAPI(simulator: apns.simulator).respond(to: request)
    let json = response.body.first == UInt8(ascii: "{") ? try JSONValue(parsing: response.body) : nil
    return (response.status.code, json)
  }

  @Test("faults: set as JSON, at work on pushes, ended by an empty plan")
  func faults() async throws {
    try await TestAPNs.run { apns in
      let sender = try await apns.openSender()
      let push = TestPush(authorization: apns.token)
      let plan = #"{"rules":[{"action":"answer","status":503,"body":"busy","headers":{"Retry-After":"9"}}]}"#
      #expect(try await call(apns, .put, "/faults?environment=sandbox", plan).status == 204)
      let answer = await sender.send(push)
      #expect(answer.status == 503)
      #expect(answer.body == "busy")
      #expect(answer.fields["retry-after"] == "9")
      #expect(try await call(apns, .put, "/faults", "{}").status == 204)
      #expect(await sender.send(push).status == 200)
    }
  }

  @Test("every action can be said in JSON")
  func actions() throws {
    let json = """
      {"latency_ms":[1,2],"connections":"silent","rules":[
      {"action":"hold","milliseconds":5,"every":2,"limit":3,"token_prefix":"AB"},{"action":"ignore"},
      {"action":"reset","code":7},{"action":"lose_answer"},{"action":"close"},{"action":"black_hole"},
      {"action":"goaway","last_stream":5,"code":7,"debug":"x","ending":"keep_open"},
      {"action":"answer","reason":"Unregistered","timestamp":5},{"action":"answer","status":400,"body_bytes":3}]}
      """
    let plan = try FaultPlan(json: JSONValue(parsing: Array(json.utf8)))
    #expect(plan.latency == .uniform(milliseconds: 1...2))
    #expect(plan.connections == .silent)
    #expect(plan.rules.first == FaultRule(.hold(milliseconds: 5), every: 2, limit: 3, tokenPrefix: "ab"))
    #expect(
      plan.rules.dropFirst().map(\.action) == [
        .ignore, .reset(code: 7), .loseAnswer, .closeConnection, .blackHole,
        .goAway(GoAwayScript(lastStream: .number(5), code: 7, debugData: Array("x".utf8), ending: .keepOpen)),
        .answer(.reason(.unregistered, timestamp: 5)),
        .answer(ScriptedAnswer(status: 400, body: Array("xxx".utf8))),
      ])
  }

  @Test(
    "what is wrong is said in words",
    arguments: [
      ("{", "ends too early"), ("[]", "faults must be an object"), (#"{"rulez":[]}"#, "faults.rulez is not known"),
      (#"{"rules":[{}]}"#, "faults.rules[0].action is missing"),
      (#"{"rules":[{"action":"explode"}]}"#, "faults.rules[0].action must be one of answer, hold"),
      (#"{"rules":[{"action":"ignore","every":0}]}"#, "faults.rules[0].every must be a whole number from 1"),
      (#"{"rules":[{"action":"answer","status":100}]}"#, "faults.rules[0].status must be a whole number from 200"),
      (#"{"latency_ms":[9,1]}"#, "faults.latency_ms must be two milliseconds"),
    ])
  func mistakes(body: String, words: String) async throws {
    try await TestAPNs.run { apns in
      let answer = try await call(apns, .put, "/faults", body)
      #expect(answer.status == 400)
      #expect(answer.json?["error"]?.string?.contains(words) == true, "\(answer)")
    }
  }

  @Test("the record is paged, and can be forgotten; counters tell both environments")
  func record() async throws {
    try await TestAPNs.run { apns in
      let sender = try await apns.openSender()
      for serial in 1...3 {
        _ = await sender.send(TestPush(token: TestPush.token(serial), authorization: apns.token))
      }
      let page = try await call(apns, .get, "/requests?environment=sandbox&after=1&limit=2").json
      let requests = try #require(page?["requests"]?.array)
      #expect(requests.map { $0["number"]?.number?.int64 } == [2, 3])
      #expect(page?["next"]?.number?.int64 == 3)
      #expect(requests.first?["headers"]?.array?.first?.array?.map(\.string) == [":method", "POST"])
      #expect(requests.first?["outcome"]?["status"]?.number?.int64 == 200)
      #expect(try await call(apns, .get, "/requests").status == 400)
      #expect(try await call(apns, .delete, "/requests").status == 204)
      let counters = try await call(apns, .get, "/stats").json
      #expect(counters?["sandbox"]?["requests"]?.number?.int64 == 0)
      #expect(counters?["sandbox"]?["connections_open"]?.number?.int64 == 1)
      #expect(counters?["production"]?["requests"]?.number?.int64 == 0)
    }
  }

  @Test("GOAWAY, settings, listening and TLS are the process API's")
  func connections() async throws {
    try await TestAPNs.run { apns in
      let sender = try await apns.openSender()
      #expect(try await call(apns, .post, "/settings", #"{"max_concurrent_streams":7}"#).status == 204)
      await apns.sandbox.settle()
      sender.ping(within: .seconds(5))
      #expect(await sender.wait { $0.pings.count == 1 && $0.capacity == 7 })
      let script = #"{"scripts":[{"last_stream":"newest","code":0,"debug":"bye"}]}"#
      #expect(try await call(apns, .post, "/goaway", script).status == 204)
      #expect(await sender.wait { $0.isClosed && $0.goAways.first?.debugData == Array("bye".utf8) })
      #expect(try await call(apns, .post, "/listening", #"{"state":"refused"}"#).status == 204)
      await #expect(throws: (any Error).self) { try await apns.sender() }
      #expect(try await call(apns, .post, "/listening", #"{"state":"open"}"#).status == 204)
      #expect(try await call(apns, .post, "/tls", #"{"fault":"wrong_name"}"#).status == 204)
      await #expect(throws: (any Error).self) { try await apns.sender() }
      #expect(try await call(apns, .post, "/tls", #"{"fault":"none"}"#).status == 204)
      _ = try await apns.sender()
    }
  }

  @Test("credentials and devices can be registered, phones be read")
  func registering() async throws {
    try await TestAPNs.run { apns in
      let stranger = try TestKey(teamID: "TEAM000003", keyID: "KEY0000003")
      let pem = String(decoding: try stranger.signer.publicKey().pem(), as: UTF8.self)
      var writer = JSONWriter()
      writer.object { writer in
        writer.member("team_id", stranger.teamID)
        writer.member("key_id", stranger.keyID)
        writer.member("public_key_pem", pem)
        writer.member("bundle_ids", ["com.example.app"])
      }
      let credential = String(decoding: writer.bytes, as: UTF8.self)
      #expect(try await call(apns, .post, "/credentials", credential).status == 204)
      let token = TestPush.token(3)
      let push = TestPush(token: token, authorization: try stranger.authorization(issuedAt: apns.clock.seconds))
      #expect(try await apns.sender().send(push).status == 200)
      let shown = try await call(apns, .get, "/devices/\(token)").json?["pushes"]?.array
      #expect(shown?.first?["topic"]?.string == "com.example.app")
      let device = #"{"bundle_id":"com.example.app","state":"unregistered","since":5}"#
      #expect(try await call(apns, .put, "/devices/\(token)?environment=sandbox", device).status == 204)
      let dead = try await apns.sender().send(push)
      #expect(dead.body == #"{"reason":"Unregistered","timestamp":5}"#)
    }
  }

  @Test("an unknown route is 404, the authority's certificate is there")
  func routes() async throws {
    try await TestAPNs.run { apns in
      for (target, status) in [("/nothing", 404), ("/ca.pem", 200), ("/requests?environment=moon", 400)] {
        let answer = try await call(apns, .get, target)
        #expect(answer.status == status, "\(target)")
      }
    }
  }

  @Test("the documentation's table of device tokens is the code's")
  func documentation() throws {
    let root = #filePath.split(separator: "/").dropLast(4).reduce("") { $0 + "/" + $1 }
    let text = TestFiles.read(root + "/docs/simulator.md")
    let section = try #require(text.split(separator: "\n## ").first { $0.hasPrefix("Device tokens that choose") })
    for row in ScriptedTokens.table {
      let line = try #require(section.split(separator: "\n").first { $0.contains("| `\(row.code)` | ") }, "\(row.code)")
      let cells = line.split(separator: "|").map { String($0).trimmingBlanks() }
      let place = try #require(cells.firstIndex(of: "`\(row.code)`"))
      guard case .refuse(let reason, _) = row.script else { continue }
      #expect(cells[place + 1].hasPrefix("\(reason.status) \(reason.rawValue)"), "\(row.code)")
    }
    let codes = section.split(separator: "|").filter { $0.hasPrefix(" `") && $0.utf8.count == 8 }
    #expect(codes.count == ScriptedTokens.table.count)
  }
}

extension String {
  fileprivate func trimmingBlanks() -> String {
    String(drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
  }
}

import HTTP
import JSON
import PushCore
import Testing

@testable import PushAPI

@Suite struct MessageTests {
  @Test func theContractsExampleIsQueuedAndRead() async throws {
    let tenant = try await Tenant.make()
    let answer = try await tenant.send(
      """
      {"app_id":"\(tenant.app)","target":{"type":"user","id":"user_8123"},
       "title":"Your order is out for delivery","body":"Arriving between 2 and 4 pm.",
       "image_url":"https://cdn.example.com/orders/8123/map.png",
       "apns":{"thread_id":"order-8123","interruption_level":"time-sensitive"}}
      """)
    #expect(answer.status == 202)
    #expect(answer["status"]?.string == "queued")
    #expect(answer["app_id"]?.string == tenant.app)
    #expect(MessageID(answer.text("id")) != nil)
    #expect(Timestamp(rfc3339: answer.text("created_at")) != nil)
    let read = try await tenant.api.call(.get, "messages/\(answer.text("id"))", tenant.appKey)
    #expect(read.status == 200)
    #expect(read["counts"]?["accepted"]?.number?.int64 == 0)
    #expect(read["lane"]?.string == "transactional")
    #expect(read["suppressed_by"]?.object?.isEmpty == true)
    let deliveries = try await tenant.api.call(.get, "messages/\(answer.text("id"))/deliveries", tenant.appKey)
    #expect(deliveries.text == #"{"data":[],"next_cursor":null}"#)
  }

  @Test func whatTheSenderWroteReachesTheDraftUnchanged() async throws {
    let tenant = try await Tenant.make()
    _ = try await tenant.send(
      #"""
      {"target":{"type":"user","id":"u"},"title":"Grüße","data":{"n":null,"f":false,"z":0,"l":[],"o":{"d":1.0,"t":true},
       "big":12345678901234567890.10},"badge":0,"sound":{"critical":true,"volume":0.50},
       "apns":{"relevance_score":0.5,"aps":{"x":1e2}},"localizations":{"fr-CA":{"title":"Bonjour"}},
       "variables":{"name":"there"},"ttl":0,"name":"n"}
      """#)
    let draft = try #require(tenant.api.provider.drafts.last)
    let content = draft.content
    #expect(
      content.data.map { "\($0.name)=\(String(decoding: $0.value.bytes, as: UTF8.self))" } == [
        "n=null", "f=false", "z=0", "l=[]", #"o={"d":1.0,"t":true}"#, "big=12345678901234567890.10",
      ])
    #expect(content.badge == 0)
    #expect(content.sound == .critical(name: "default", volume: JSONText(checked: Array("0.50".utf8))))
    #expect(content.apns.aps.map { String(decoding: $0.value.bytes, as: UTF8.self) } == ["1e2"])
    #expect(content.localizations["fr-CA"]?.title == "Bonjour")
    #expect(content.variables == ["name": "there"])
    #expect(draft.timeToLive == Seconds(0))
  }

  // Cases 35 and 36: absent, null, empty.
  @Test(arguments: [
    (#"{}"#, CollapseID.ofMessage), (#"{"collapse_id":null}"#, .off), (#"{"collapse_id":""}"#, .off),
    (#"{"collapse_id":"order-1"}"#, .named("order-1")),
  ])
  func theCollapseIDIsOursUnlessTheSenderSaysOtherwise(_ apns: String, _ expected: CollapseID) async throws {
    let tenant = try await Tenant.make()
    #expect(try await tenant.send(#"{"target":{"type":"user","id":"u"},"title":"x","apns":\#(apns)}"#).status == 202)
    #expect(tenant.api.provider.drafts.last?.content.apns.collapseID == expected)
  }

  @Test func nullIsTheSameAsLeavingAFieldOut() async throws {
    let tenant = try await Tenant.make()
    let answer = try await tenant.send(
      """
      {"target":{"type":"user","id":"u"},"title":"x","body":null,"badge":null,"sound":null,"apns":null,"data":null,
       "ttl":null,"send_at":null,"lane":null,"idempotency_key":null,"localizations":null,"variables":null}
      """)
    #expect(answer.status == 202)
    #expect(tenant.api.provider.drafts.last?.content.badge == nil)
    #expect(tenant.api.provider.drafts.last?.timeToLive == .defaultTimeToLive)
  }

  // Cases 33 to 35 are judged by the provider; its words are passed on, beside our own.
  @Test func theProvidersProblemsAreToldWithOurs() async throws {
    let tenant = try await Tenant.make()
    tenant.api.provider.judge([
      FieldProblem(pointer: "/apns/priority", code: "contradiction", detail: "A background push has priority 5."),
      FieldProblem(pointer: "/badge", code: "out_of_range", detail: "about the stand-in"),
    ])
    let answer = try await tenant.send(
      #"{"target":{"type":"user","id":"u"},"badge":"x","apns":{"priority":10,"content_available":true}}"#)
    #expect(answer.status == 400)
    #expect(answer.problems == ["/badge wrong_type", "/apns/priority contradiction"])
  }

  @Test func whatTheProviderRefusesIsNeverCreated() async throws {
    let tenant = try await Tenant.make()
    tenant.api.provider.judge([FieldProblem(pointer: "", code: "nothing_to_send", detail: "Nothing.")])
    #expect(try await tenant.send(#"{"target":{"type":"user","id":"u"}}"#).problems == [" nothing_to_send"])
    #expect(try await tenant.api.call(.get, "messages", tenant.appKey)["data"]?.array?.isEmpty == true)
  }

  // Case 97.
  @Test(arguments: [
    (#"{"type":"users","ids":[]}"#, "/target/ids empty"), (#"{"type":"installations","ids":[]}"#, "/target/ids empty"),
    (#"{"type":"users"}"#, "/target/ids required"), (#"{"type":"users","ids":"u"}"#, "/target/ids wrong_type"),
    (#"{"type":"users","ids":["a",null]}"#, "/target/ids/1 wrong_type"),
    (#"{"type":"all"}"#, "/target/confirm required"),
    (#"{"type":"all","confirm":"yes"}"#, "/target/confirm not_allowed"),
    (#"{"type":"all","confirm":"all","ids":["u"]}"#, "/target/ids contradiction"),
    (#"{"type":"user","id":"u","ids":["v"]}"#, "/target/ids contradiction"),
    (#"{"type":"segment","id":"s"}"#, "/target/type not_allowed"), (#"{"id":"u"}"#, "/target/type required"),
    (#"{"type":"user","Id":"u"}"#, "/target/Id unknown_field"), (#"{"type":"user","id":""}"#, "/target/id empty"),
    (#"{"type":"installation","id":"x"}"#, "/target/id malformed_id"), ("null", "/target required"),
    (#""all""#, "/target wrong_type"), (#"{"type":"user","id":{"$ne":null}}"#, "/target/id wrong_type"),
  ])
  func aTargetThatIsNotClearIsRefused(_ target: String, _ problem: String) async throws {
    let tenant = try await Tenant.make()
    let answer = try await tenant.send(#"{"target":\#(target),"title":"x"}"#)
    #expect(answer.status == 400)
    #expect(answer.problems.contains(problem), "\(answer.problems)")
  }

  @Test func peersNamesForTargetsAreUnknownFields() async throws {
    let tenant = try await Tenant.make()
    let answer = try await tenant.send(#"{"IncludedSegments":["All"],"include_aliases":{},"title":"x"}"#)
    #expect(
      answer.problems == ["/IncludedSegments unknown_field", "/include_aliases unknown_field", "/target required"])
  }

  @Test func aRecipientNamedTwiceCountsOnceAndBytesTellThemApart() async throws {
    let tenant = try await Tenant.make()
    // The last two look alike and are equal to Swift, but are two ids to the database.
    let answer = try await tenant.send(
      "{\"target\":{\"type\":\"users\",\"ids\":[\"a\",\"b\",\"a\",\"\u{e9}\",\"e\u{301}\"]},\"title\":\"x\"}")
    #expect(answer.status == 202)
    guard case .users(let ids) = tenant.api.provider.drafts.last?.target else {
      Issue.record("the target is a list of users")
      return
    }
    #expect(ids.map { Array($0.utf8) } == [[97], [98], [0xc3, 0xa9], [0x65, 0xcc, 0x81]])
  }

  @Test func twentyThousandRecipientsAreTakenAndOneMoreIsNot() async throws {
    let tenant = try await Tenant.make()
    let ids = (0..<Target.maximumRecipients).map { _ in "\"\(InstallationID.make())\"" }
    let list = ids.joined(separator: ",")
    let whole = try await tenant.send(#"{"target":{"type":"installations","ids":[\#(list)]},"title":"x"}"#)
    #expect(whole.status == 202)
    let over = try await tenant.send(
      #"{"target":{"type":"installations","ids":[\#(list),"\#(InstallationID.make())"]},"title":"x"}"#)
    #expect(over.problems == ["/target/ids too_many"])
  }

  @Test func everybodyNeedsTheirWord() async throws {
    let tenant = try await Tenant.make()
    let answer = try await tenant.send(#"{"target":{"type":"all","confirm":"all"},"title":"x"}"#)
    #expect(answer.status == 202)
    let read = try await tenant.api.call(.get, "messages/\(answer.text("id"))", tenant.appKey)
    #expect(read["lane"]?.string == "bulk")
  }

  // Case 84.
  @Test(arguments: [
    ("2026-03-29T02:30:00", "malformed_time"), ("tomorrow", "malformed_time"), ("1760000000", "malformed_time"),
    ("2020-01-01T00:00:00Z", "in_the_past"), ("2099-01-01T00:00:00+05:30", "too_far"),
  ])
  func aTimeThatIsNotClearOrNotUsefulIsRefused(_ time: String, _ code: String) async throws {
    let tenant = try await Tenant.make()
    let answer = try await tenant.send(#"{"target":{"type":"user","id":"u"},"title":"x","send_at":"\#(time)"}"#)
    #expect(answer.problems == ["/send_at \(code)"])
  }

  @Test func aMessageForLaterIsScheduled() async throws {
    let tenant = try await Tenant.make()
    let time = Timestamp.now().advanced(bySeconds: 3600).rfc3339
    let answer = try await tenant.send(#"{"target":{"type":"user","id":"u"},"title":"x","send_at":"\#(time)"}"#)
    #expect(answer["status"]?.string == "scheduled")
    let read = try await tenant.api.call(.get, "messages/\(answer.text("id"))", tenant.appKey)
    #expect(read["send_at"]?.string == time)
  }

  @Test func aRequestThatTookAWhileIsNotLate() async throws {
    let tenant = try await Tenant.make()
    let time = Timestamp.now().advanced(bySeconds: -240).rfc3339
    let answer = try await tenant.send(#"{"target":{"type":"user","id":"u"},"title":"x","send_at":"\#(time)"}"#)
    #expect(answer.status == 202)
  }

  @Test func anotherAppsIDIsNotFound() async throws {
    let tenant = try await Tenant.make()
    let other = try await Tenant.make(tenant.api)
    let answer = try await tenant.send(
      #"{"app_id":"\#(other.app)","target":{"type":"user","id":"u"},"title":"x"}"#)
    #expect(answer.status == 404)
  }

  @Test func aForeignMessageIsNotFound() async throws {
    let mine = try await Tenant.make()
    let other = try await Tenant.make(mine.api)
    let sent = try await other.send(#"{"target":{"type":"user","id":"u"},"title":"x"}"#)
    for path in ["", "/deliveries"] {
      let answer = try await mine.api.call(.get, "messages/\(sent.text("id"))\(path)", mine.appKey)
      #expect(answer.status == 404)
    }
  }

  @Test func theFieldsOfLaterStagesAreRefused() async throws {
    let tenant = try await Tenant.make()
    let answer = try await tenant.send(
      """
      {"target":{"type":"user","id":"u"},"title":"x","dry_run":true,"local_time":"x","throttle_per_minute":1,
       "respect_quiet_hours":true,"frequency_cap":true}
      """)
    #expect(answer.problems.count == 5)
    #expect(answer.problems.allSatisfy { $0.hasSuffix("unknown_field") })
  }
}

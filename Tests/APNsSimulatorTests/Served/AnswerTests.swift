import Testing

@testable import APNsSimulator

@Suite("Answers over HTTP/2")
struct AnswerTests {
  @Test("200 echoes the apns-id, has no body, and an apns-unique-id in the sandbox only")
  func accepted() async throws {
    try await TestAPNs.run { apns in
      let id = "123e4567-e89b-12d3-a456-426614174000"
      let push = TestPush(authorization: apns.token).with("apns-id", id)
      for environment in SimulatedEnvironment.allCases {
        let answer = try await apns.sender(environment).send(push)
        #expect(answer.status == 200)
        #expect(answer.bodyLength == 0)
        #expect(answer.fields["apns-id"] == id)
        #expect((answer.fields["apns-unique-id"] != nil) == (environment == .sandbox))
        #expect(answer.fields["content-type"] == nil)
      }
    }
  }

  @Test("a made-up apns-id is an upper-case UUID, also on refusals without credentials")
  func generatedID() async throws {
    try await TestAPNs.run { apns in
      let answer = try await apns.sender().send(TestPush())
      #expect(answer.status == 403)
      #expect(answer.body == #"{"reason":"MissingProviderToken"}"#)
      let id = try #require(answer.fields["apns-id"])
      #expect(MessageID.isValid(Array(id.utf8)))
      #expect(id == id.uppercased())
    }
  }

  @Test("every reason of the table arrives with its status and its compact body")
  func everyReason() async throws {
    try await TestAPNs.run { apns in
      let sender = try await apns.openSender()
      for reason in RefusalReason.allCases {
        let token = try #require(ScriptedTokens.token(refusedWith: reason, serial: 7))
        let answer = await sender.send(TestPush(token: token, authorization: apns.token))
        #expect(answer.status == reason.status)
        let timestamp = reason.status == 410 ? #","timestamp":\#(apns.clock.milliseconds)"# : ""
        #expect(answer.body == #"{"reason":"\#(reason.rawValue)"\#(timestamp)}"#)
      }
    }
  }

  @Test("410 timestamps may lie in the past, in the future, or be absent")
  func timestamps() async throws {
    try await TestAPNs.run { apns in
      let sender = try await apns.openSender()
      let day: Int64 = 86_400_000
      for (code, expected) in [
        ("de02", #","timestamp":\#(apns.clock.milliseconds - day)"#),
        ("de03", #","timestamp":\#(apns.clock.milliseconds + day)"#), ("de04", ""),
      ] {
        let answer = await sender.send(
          TestPush(token: ScriptedTokens.token(code: code), authorization: apns.token))
        #expect(answer.body == #"{"reason":"Unregistered"\#(expected)}"#)
      }
    }
  }

  @Test("when everything is wrong the reasons come one after the other in the documented order")
  func order() async throws {
    try await TestAPNs.run { apns in
      let restricted = try TestKey(keyID: "KEY0000009")
      apns.simulator.register(restricted.credential(topics: .bundleIDs(["com.example.app"])))
      apns.sandbox.setDevice(TestPush.token(9), bundleID: "com.example.elsewhere")
      let now = apns.clock.seconds
      var push = TestPush()
      push.method = "GET"
      push.path = "/nowhere"
      push.headers = [
        ("apns-id", "x"), ("apns-expiration", "x"), ("apns-priority", "x"), ("apns-push-type", "x"),
        ("apns-collapse-id", String(repeating: "x", count: 65)), ("apns-topic", ""),
      ]
      push.body = ""
      let steps: [(RefusalReason, (inout TestPush) throws -> Void)] = [
        (.methodNotAllowed, { $0.method = "POST" }),
        (.badPath, { $0.path = "/3/device/" }),
        (.missingProviderToken, { $0 = $0.with("authorization", "bearer nonsense") }),
        (
          .invalidProviderToken,
          { $0 = $0.with("authorization", try restricted.authorization(issuedAt: now - 3601)) }
        ),
        (.expiredProviderToken, { $0 = $0.with("authorization", try restricted.authorization(issuedAt: now)) }),
        (.badMessageID, { $0 = $0.with("apns-id", nil) }),
        (.badExpirationDate, { $0 = $0.with("apns-expiration", "0") }),
        (.badPriority, { $0 = $0.with("apns-priority", "5") }),
        (.invalidPushType, { $0 = $0.with("apns-push-type", "voip") }),
        (.badCollapseID, { $0 = $0.with("apns-collapse-id", nil) }),
        (.missingTopic, { $0 = $0.with("apns-topic", "a/b") }),
        (.badTopic, { $0 = $0.with("apns-topic", "com.example.other.voip") }),
        (.topicDisallowed, { $0 = $0.with("apns-topic", "com.example.app") }),
        (.topicDisallowed, { $0 = $0.with("apns-push-type", "alert") }),
        (.payloadEmpty, { $0.body = String(repeating: "x", count: 4097) }),
        (.payloadTooLarge, { $0.body = "{}" }),
        (.missingDeviceToken, { $0.path = "/3/device/xyz" }),
        (.badDeviceToken, { $0.path = "/3/device/" + TestPush.token(9) }),
        (.deviceTokenNotForTopic, { $0.path = "/3/device/" + ScriptedTokens.token(code: "dead") }),
        (.unregistered, { $0.path = "/3/device/" + TestPush.token(1) }),
      ]
      for (expected, cure) in steps {
        // A connection each: the first good token binds one.
        let answer = try await apns.sender().send(push)
        #expect(answer.body.contains(#""reason":"\#(expected.rawValue)""#), "\(expected): \(answer)")
        try cure(&push)
      }
      #expect(try await apns.sender().send(push).status == 200)
    }
  }

  @Test("a body far beyond the limit is too large, not a broken connection")
  func hugeBody() async throws {
    try await TestAPNs.run { apns in
      let sender = try await apns.sender()
      var push = TestPush(authorization: apns.token)
      push.body = String(repeating: "x", count: 300_000)
      let answer = await sender.send(push)
      #expect(answer.body == #"{"reason":"PayloadTooLarge"}"#)
      push.body = "{}"
      #expect(await sender.send(push).status == 200)
    }
  }

  @Test("a token of one environment is bad in the other, and a topic is bound to its token")
  func environments() async throws {
    try await TestAPNs.run { apns in
      let token = TestPush.token(0xaa)
      apns.sandbox.setDevice(token, bundleID: "com.example.app")
      let push = TestPush(token: token, authorization: apns.token)
      let here = try await apns.sender(.sandbox).send(push)
      let there = try await apns.sender(.production).send(push)
      #expect(here.status == 200)
      #expect(there.body == #"{"reason":"BadDeviceToken"}"#)
    }
  }
}

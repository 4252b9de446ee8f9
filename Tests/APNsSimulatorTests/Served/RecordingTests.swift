import Testing

@testable import APNsSimulator

@Suite("What is written down")
struct RecordingTests {
  @Test("a request is recorded as it came: connection, stream, fields in order, bytes, time and outcome")
  func request() async throws {
    try await TestAPNs.run { apns in
      let sender = try await apns.openSender()
      var push = TestPush(token: TestPush.token(5), authorization: apns.token)
      push.body = "{\"aps\":{\"alert\":\"\u{1F468}\u{200D}\u{1F469}\"}}"
      _ = await sender.send(push)
      let record = try #require(apns.sandbox.requests(after: 1).first)
      #expect(record.number == 2)
      #expect(record.connection == 1)
      #expect(record.stream == 3)
      #expect(
        record.headers.map(\.nameText) == [
          ":method", ":scheme", ":path", ":authority", "apns-topic", "apns-push-type", "authorization",
        ])
      #expect(record.deviceToken == TestPush.token(5))
      #expect(record.body == Array(push.body.utf8))
      #expect(record.receivedAt == apns.clock.milliseconds)
      #expect(record.outcome == .answered(status: 200, reason: nil))
    }
  }

  @Test("phones show what was accepted, in order, collapsed, and only where it was sent")
  func phones() async throws {
    try await TestAPNs.run { apns in
      let sender = try await apns.openSender()
      for (body, collapse) in [("1", "score"), ("2", nil), ("3", "score")] {
        var push = TestPush(token: "ABCD", authorization: apns.token).with("apns-collapse-id", collapse)
        push.body = body
        _ = await sender.send(push)
      }
      let shown = apns.sandbox.delivered(to: "abcd")
      #expect(shown.map { String(decoding: $0.payload, as: UTF8.self) } == ["2", "3"])
      #expect(shown.map(\.replaced) == [0, 1])
      #expect(shown.last?.collapseID == "score")
      #expect(apns.sandbox.stored(for: "abcd", bundleID: "com.example.app")?.payload == [UInt8(ascii: "3")])
      #expect(apns.simulator.production.delivered(to: "abcd").isEmpty)
    }
  }

  @Test("counters tell answers by status and by reason; a reset forgets them but not the open connections")
  func counters() async throws {
    try await TestAPNs.run { apns in
      let sender = try await apns.openSender()
      for reason in [RefusalReason.badDeviceToken, .badDeviceToken, .unregistered] {
        let token = try #require(ScriptedTokens.token(refusedWith: reason))
        _ = await sender.send(TestPush(token: token, authorization: apns.token))
      }
      let counters = apns.sandbox.statistics
      #expect(counters.requests == 4)
      #expect(counters.answers == [200: 1, 400: 2, 410: 1])
      #expect(counters.reasons == ["BadDeviceToken": 2, "Unregistered": 1])
      #expect(counters.distinctAuthorizations == 1)
      apns.sandbox.reset()
      #expect(apns.sandbox.statistics.requests == 0)
      #expect(apns.sandbox.statistics.connectionsOpen == 1)
      #expect(apns.sandbox.requests().isEmpty)
    }
  }

  @Test("waiting ends at its deadline, and with the simulator")
  func waiting() async throws {
    try await TestAPNs.run { apns in
      await #expect(throws: SimulatorError.self) {
        try await apns.sandbox.waitForRequests(1, within: .milliseconds(20))
      }
      let waiting = Task { try await apns.sandbox.waitForRequests(1, within: .seconds(60)) }
      await apns.simulator.stop()
      await #expect(throws: SimulatorError.self) { try await waiting.value }
    }
  }

  @Test("the accepting mode takes a stranger's token, the strict one does not")
  func modes() async throws {
    let stranger = try TestKey(teamID: "TEAM000007", keyID: "KEY0000007")
    for (mode, status) in [(SimulatorConfiguration.Mode.strict, 403), (.accepting, 200)] {
      try await TestAPNs.run(SimulatorConfiguration(mode: mode)) { apns in
        let push = TestPush(authorization: try stranger.authorization(issuedAt: apns.clock.seconds))
        #expect(try await apns.sender().send(push).status == status)
      }
    }
  }

  @Test("the raw mode answers 200 to anything, echoes the id, records nothing and counts")
  func raw() async throws {
    try await TestAPNs.run(SimulatorConfiguration(mode: .raw)) { apns in
      let sender = try await apns.sender()
      #expect(await sender.wait { $0.capacity == 1000 })
      let echoed = await sender.send(TestPush().with("apns-id", "whatever"))
      #expect(echoed.status == 200)
      #expect(echoed.fields["apns-id"] == "whatever")
      #expect(await sender.send(TestPush()).fields["apns-id"]?.utf8.count == 36)
      try await apns.sandbox.waitForRequests(2)
      #expect(apns.sandbox.requests().isEmpty)
    }
  }
}

import HTTP2
import Testing

@testable import APNsSimulator

@Suite("Connections and their streams")
struct ConnectionTests {
  @Test("one stream until a valid token has been seen, then a thousand; an invalid one opens nothing")
  func limitByToken() async throws {
    try await TestAPNs.run { apns in
      let sender = try await apns.sender()
      #expect(await sender.send(TestPush(authorization: "bearer nonsense")).status == 403)
      #expect(await sender.wait { $0.capacity == 1 })
      #expect(await sender.send(TestPush(authorization: apns.token)).status == 200)
      #expect(await sender.wait { $0.capacity == 1000 })
    }
  }

  @Test("the limit can be set at any time, to nothing and back")
  func imposedLimit() async throws {
    try await TestAPNs.run { apns in
      let sender = try await apns.openSender()
      for (round, limit) in [1, 0, 500].enumerated() {
        apns.sandbox.setStreamLimit(UInt32(limit))
        await apns.sandbox.settle()
        // The answer to a ping comes behind the SETTINGS.
        sender.ping(within: .seconds(5))
        #expect(await sender.wait { $0.pings.count == round + 1 && $0.capacity == limit })
      }
      #expect(await sender.send(TestPush(authorization: apns.token)).status == 200)
      apns.sandbox.setStreamLimit(nil)
      #expect(await sender.wait { $0.capacity == 1000 })
      #expect(apns.sandbox.statistics.connectionsAccepted == 1)
    }
  }

  @Test("a GOAWAY in the middle of twenty streams: ten are answered, ten were surely not processed, then it closes")
  func goAwaySplit() async throws {
    try await TestAPNs.run { apns in
      let sender = try await apns.openSender()
      apns.sandbox.setFaults(FaultPlan(latency: .fixed(milliseconds: 300)))
      // Streams 3, 5 ... 41 follow the opening push's stream 1.
      let answers = try await withThrowingTaskGroup(of: TestAnswer.self) { group in
        for serial in 0..<20 {
          group.addTask { await sender.send(TestPush(token: TestPush.token(serial), authorization: apns.token)) }
        }
        try await apns.sandbox.waitForRequests(21)
        apns.sandbox.goAway(GoAwayScript(lastStream: .number(21)))
        return try await group.reduce(into: []) { $0.append($1) }
      }
      #expect(answers.count { $0.status == 200 } == 10)
      #expect(answers.count { $0.end == .refused } == 10)
      #expect(
        await sender.goAways == [
          GoAway(lastStreamID: 21, code: .noError, debugData: Array(#"{"reason":"Shutdown"}"#.utf8))
        ])
      #expect(await sender.wait { $0.isClosed })
    }
  }

  @Test("two GOAWAYs with code and text of choice, and the socket stays open")
  func goAwayTwice() async throws {
    try await TestAPNs.run { apns in
      let sender = try await apns.openSender()
      // Our client hangs up when it has nothing left to wait for.
      apns.sandbox.setFaults(FaultPlan(FaultRule(.ignore)))
      async let unanswered = sender.send(TestPush(authorization: apns.token))
      try await apns.sandbox.waitForRequests(2)
      apns.sandbox.goAway([
        GoAwayScript(lastStream: .number(101), code: 7, debugData: Array("plain text".utf8), ending: .keepOpen),
        GoAwayScript(lastStream: .number(51), code: 0, debugData: [], ending: .keepOpen),
      ])
      #expect(await sender.wait { $0.goAways.count == 2 })
      let goAways = await sender.goAways
      #expect(goAways.map(\.lastStreamID) == [101, 51])
      #expect(goAways.map(\.code.rawValue) == [7, 0])
      #expect(goAways[0].debugData == Array("plain text".utf8))
      #expect(apns.sandbox.statistics.connectionsOpen == 1)
      sender.close()
      #expect(await unanswered.end == .lost)
    }
  }

  @Test("the second team on a connection is refused, on a connection of its own it is not")
  func teams() async throws {
    try await TestAPNs.run { apns in
      let other = try TestKey(teamID: "TEAM000002", keyID: "KEY0000002")
      apns.simulator.register(other.credential())
      let sender = try await apns.openSender()
      let push = TestPush(authorization: try other.authorization(issuedAt: apns.clock.seconds))
      #expect(await sender.send(push).body == #"{"reason":"InvalidProviderToken"}"#)
      #expect(try await apns.sender().send(push).status == 200)
    }
  }

  @Test(
    "the second new token within twenty minutes is refused, after them it is not; after an hour the old one is not good"
  )
  func tokenUpdates() async throws {
    try await TestAPNs.run { apns in
      let first = apns.token
      let sender = try await apns.openSender()
      apns.clock.advance(seconds: 60)
      let second = try apns.newAuthorization()
      #expect(await sender.send(TestPush(authorization: second)).body == #"{"reason":"TooManyProviderTokenUpdates"}"#)
      #expect(await sender.send(TestPush(authorization: first)).status == 200)
      apns.clock.advance(seconds: 20 * 60)
      #expect(await sender.send(TestPush(authorization: second)).status == 200)
      apns.clock.advance(seconds: 40 * 60)
      #expect(await sender.send(TestPush(authorization: first)).body == #"{"reason":"ExpiredProviderToken"}"#)
      #expect(apns.sandbox.statistics.distinctAuthorizations == 2)
    }
  }

  @Test("connections are numbered, counted, and spread over the loops")
  func counting() async throws {
    try await TestAPNs.run(loops: 2) { apns in
      let senders = [
        try await apns.openSender(), try await apns.openSender(),
      ]
      try await apns.sandbox.waitForConnections(open: 2)
      #expect(Set(apns.sandbox.requests().map(\.connection)) == [1, 2])
      senders[0].close()
      try await apns.sandbox.waitForConnections(open: 1)
      #expect(apns.sandbox.statistics.connectionsAccepted == 2)
    }
  }

  @Test("a ping is answered")
  func ping() async throws {
    try await TestAPNs.run { apns in
      let sender = try await apns.openSender()
      sender.ping(within: .seconds(5))
      #expect(await sender.wait { $0.pings == [true] })
    }
  }
}

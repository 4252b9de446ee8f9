import HTTP
import HTTPServer
import TestSupport
import Testing
import Transport

/// Clients that leave, and the server that leaves.
@Suite(.timeLimit(.minutes(1))) struct DepartureTests {
  @Test func theAnswerForAClientThatHasGoneReachesNobody() async throws {
    try await TestSite.run { site in
      let gone = try await site.connect()
      try await gone.send(Probe.get(target: "/held/secret"))
      await site.gate.arrived(1)
      gone.reset()
      // These get the descriptor of the first one.
      var others: [HTTPTestClient] = []
      for number in 0..<4 {
        let other = try await site.connect()
        try await other.send(Probe.get(target: "/number/\(number)"))
        #expect(try await other.answer()?.text == "\(number)")
        others.append(other)
      }
      await site.gate.open()
      for (number, other) in others.enumerated() {
        try await other.send(Probe.get(target: "/number/\(number + 10)"))
        #expect(try await other.answer()?.text == "\(number + 10)")
      }
    }
  }

  @Test func clientsThatBreakOffAnywhereDoNoHarm() async throws {
    try await TestSite.run { site in
      let request = Array((Probe.post("Content-Length: 7\r\n") + Probe.get(target: "/large")).utf8)
      var generator = SplitMix(seed: 3)
      for _ in 0..<200 {
        let client = try await site.connect()
        try await client.send(Array(request.prefix(Int.random(in: 0...request.count, using: &generator))))
        if Bool.random(using: &generator) { client.reset() } else { client.close() }
      }
      let client = try await site.connect()
      try await client.send(Probe.get())
      #expect(try await client.answer()?.status == 200)
      client.close()
      #expect(await site.server.drain(within: .seconds(20)) == .clean)
    }
  }

  @Test func drainingClosesIdleConnectionsAndAcceptsNoMore() async throws {
    try await TestSite.run { site in
      let idle = try await site.connect()
      try await idle.send(Probe.get())
      #expect(try await idle.answer()?.status == 200)
      #expect(await site.server.drain(within: .seconds(20)) == .clean)
      #expect(try await idle.isClosedByServer())
      await #expect(throws: HTTPTestClient.Failure.connect) { try await site.connect() }
    }
  }

  @Test func drainingFinishesWhatIsUnderWay() async throws {
    try await TestSite.run(loops: 2) { site in
      let handled = try await site.connect()
      try await handled.send(Probe.get(target: "/held/a") + Probe.get(target: "/number/1"))
      let reading = try await site.connect()
      try await reading.send(Probe.post("Content-Length: 7\r\n", "{"))
      await site.gate.arrived(1)
      // One idle connection on each loop; each is closed when draining has reached its loop.
      let idle = [try await site.connect(), try await site.connect()]
      for client in idle {
        try await client.send(Probe.get())
        #expect(try await client.answer()?.status == 200)
      }
      async let outcome = site.server.drain(within: .seconds(20))
      for client in idle { #expect(try await client.isClosedByServer()) }
      try await reading.send("\"a\":1}")
      let second = try #require(await reading.answer())
      #expect(second.status == 202)
      #expect(second.fields["Connection"] == "close")
      await site.gate.open()
      let first = try #require(await handled.answer())
      #expect(first.text == "a")
      #expect(first.fields["Connection"] == "close")
      #expect(try await handled.isClosedByServer())
      #expect(try await reading.isClosedByServer())
      #expect(await outcome == .clean)
    }
  }

  @Test func drainingGivesUpInTimeAndSaysWhatItLeft() async throws {
    try await TestSite.run { site in
      let client = try await site.connect()
      try await client.send(Probe.get(target: "/held/a"))
      await site.gate.arrived(1)
      #expect(await site.server.drain(within: .milliseconds(50)) == .abandoned(requests: 1))
      #expect(try await client.isClosedByServer())
    }
  }

  @Test func everybodyWhoDrainsIsTold() async throws {
    try await TestSite.run { site in
      let client = try await site.connect()
      try await client.send(Probe.get(target: "/held/a"))
      await site.gate.arrived(1)
      async let one = site.server.drain(within: .seconds(20))
      async let other = site.server.drain(within: .seconds(20))
      await site.gate.open()
      #expect(await one == .clean)
      #expect(await other == .clean)
      #expect(await site.server.drain(within: .seconds(20)) == .clean)
    }
  }

  @Test func aTakenAddressIsAnErrorAndLeavesNothingListening() async throws {
    try await TestSite.run { site in
      await #expect(throws: TransportError.self) {
        let loop = EventLoop()
        defer { loop.stop() }
        _ = try await Server.start(on: [.init(.loopback(port: 0)), .init(site.address)], loops: [loop]) { _ in
          HTTPResponse(status: .ok)
        }
      }
    }
  }
}

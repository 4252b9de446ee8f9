import HTTP
import HTTPServer
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(1))) struct DeadlineTests {
  /// Sends a byte again and again until the server has had enough of it.
  private static func drip(_ client: HTTPTestClient, _ byte: UInt8) async throws {
    // 2 000 bytes at 10 ms are far beyond every deadline here.
    for _ in 0..<2_000 {
      do {
        try await client.send([byte])
      } catch HTTPTestClient.Failure.send {
        return
      }
      try await Task.sleep(for: .milliseconds(10))
    }
    Issue.record("the server never closed")
  }

  @Test func anIdleConnectionIsClosedSilently() async throws {
    try await TestSite.run {
      $0.timeouts.idle = .milliseconds(100)
    } _: { site in
      let silent = try await site.connect()
      #expect(try await silent.isClosedByServer())
      let client = try await site.connect()
      try await client.send(Probe.get())
      #expect(try await client.answer()?.status == 200)
      #expect(try await client.isClosedByServer())
    }
  }

  @Test(arguments: [
    "GET /healthz", "GET / HTTP/1.1\r\nHost: a\r\nX: ",
    "POST /push HTTP/1.1\r\nHost: a\r\nContent-Length: 99\r\n\r\n{",
  ])
  func aRequestThatTricklesInEndsInTime(start: String) async throws {
    try await TestSite.run {
      $0.timeouts.request = .milliseconds(200)
    } _: { site in
      let client = try await site.connect()
      try await client.send(start)
      async let dripping: Void = Self.drip(client, 0x61)
      let answer = try #require(await client.answer())
      #expect(answer.status == 408)
      #expect(answer.fields["Connection"] == "close")
      try await dripping
    }
  }

  @Test func aHandlerThatTakesTooLongIsAnsweredForAndItsLateAnswerIsDropped() async throws {
    try await TestSite.run {
      $0.timeouts.handler = .milliseconds(100)
    } _: { site in
      let client = try await site.connect()
      try await client.send(Probe.get(target: "/held/late"))
      let refusal = try #require(await client.answer())
      #expect(refusal.status == 503)
      #expect(refusal.text.contains("\"code\":\"handler_timeout\""))
      #expect(refusal.fields["Retry-After"] == "1")
      // The connection goes on, also after the handler has answered at last.
      await site.gate.open()
      for number in 0..<10 {
        try await client.send(Probe.get(target: "/number/\(number)"))
        #expect(try await client.answer()?.text == "\(number)")
      }
    }
  }

  @Test func aClientThatDoesNotReadIsClosed() async throws {
    try await TestSite.run {
      $0.timeouts.write = .milliseconds(100)
    } _: { site in
      let client = try await site.connect()
      try await client.send(Probe.get(target: "/large") + Probe.get(target: "/held/a"))
      // Ends only because the connection does: the client reads nothing.
      #expect(await site.server.drain(within: .seconds(30)) == .clean)
      await #expect(throws: HTTPTestClient.Failure.ended) {
        let whole = try await client.answer()
        Issue.record("the answer came whole: \(whole?.body.count ?? 0) bytes")
      }
    }
  }

  @Test func moreRequestsThanAllowedAreRefusedAndTheConnectionIsKept() async throws {
    try await TestSite.run {
      $0.maximumRequestsInFlight = 2
    } _: { site in
      let holding = [try await site.connect(), try await site.connect()]
      for client in holding { try await client.send(Probe.get(target: "/held/a")) }
      await site.gate.arrived(2)
      let client = try await site.connect()
      try await client.send(Probe.get() + Probe.get())
      for _ in 0..<2 {
        let refusal = try #require(await client.answer())
        #expect(refusal.status == 503)
        #expect(refusal.text.contains("\"code\":\"overloaded\""))
      }
      await site.gate.open()
      for client in holding { #expect(try await client.answer()?.status == 200) }
      try await client.send(Probe.get())
      #expect(try await client.answer()?.status == 200)
    }
  }

  @Test func connectionsBeyondTheMaximumWaitForOneToClose() async throws {
    try await TestSite.run {
      $0.maximumConnections = 1
    } _: { site in
      let first = try await site.connect()
      try await first.send(Probe.get())
      #expect(try await first.answer()?.status == 200)
      let second = try await site.connect()
      try await second.send(Probe.get(target: "/number/2"))
      // Still served: the one there is.
      try await first.send(Probe.get(target: "/number/1"))
      #expect(try await first.answer()?.text == "1")
      first.close()
      #expect(try await second.answer()?.text == "2")
    }
  }
}

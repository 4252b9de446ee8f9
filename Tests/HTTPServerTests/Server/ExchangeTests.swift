import HTTP
import HTTPServer
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(1))) struct ExchangeTests {
  @Test func anAnswerCarriesWhatEveryAnswerNeeds() async throws {
    try await TestSite.run { site in
      let client = try await site.connect()
      try await client.send(Probe.get())
      let answer = try #require(await client.answer())
      #expect(answer.fields["Content-Length"] == "2")
      #expect(answer.fields["Server"] == "bolrach")
      #expect(answer.fields["Date"]?.hasSuffix(" GMT") == true)
      #expect(answer.fields["Connection"] == nil)
      #expect(answer.text == "ok")
    }
  }

  @Test func aHandlerCannotBreakTheFramingOfItsAnswer() async throws {
    try await TestSite.run { site in
      let client = try await site.connect()
      try await client.send(Probe.get(target: "/liar"))
      let answer = try #require(await client.answer())
      #expect(answer.fields.values(of: "Content-Length") == ["4"])
      #expect(answer.fields.values(of: "Server") == ["bolrach"])
      #expect(answer.fields.values(of: "Date").count == 1)
      #expect(answer.fields["X-Kept"] == "a")
      for name in ["Transfer-Encoding", "Connection", "Keep-Alive", "Upgrade"] {
        #expect(!answer.fields.contains(name))
      }
    }
  }

  @Test func headIsAnsweredWithTheLengthAndWithoutTheBody() async throws {
    try await TestSite.run { site in
      let client = try await site.connect()
      try await client.send("HEAD /healthz HTTP/1.1\r\nHost: a\r\n\r\n" + Probe.get(target: "/number/1"))
      #expect(try await client.answer(toHEAD: true)?.fields["Content-Length"] == "2")
      #expect(try await client.answer()?.text == "1")
    }
  }

  @Test func noContentHasNeitherBodyNorLength() async throws {
    try await TestSite.run { site in
      let client = try await site.connect()
      try await client.send("DELETE /thing HTTP/1.1\r\nHost: a\r\n\r\n" + Probe.get(target: "/number/1"))
      let answer = try #require(await client.answer())
      #expect(answer.status == 204)
      #expect(!answer.fields.contains("Content-Length"))
      #expect(try await client.answer()?.text == "1")
    }
  }

  @Test func aClientOfHTTP10ThatAsksIsKept() async throws {
    try await TestSite.run { site in
      let client = try await site.connect()
      let request = "GET /healthz HTTP/1.0\r\nConnection: keep-alive\r\n\r\n"
      try await client.send(request + request)
      for _ in 0..<2 { #expect(try await client.answer()?.fields["Connection"] == "keep-alive") }
    }
  }

  @Test func aThousandPipelinedRequestsAreAnsweredInOrder() async throws {
    try await TestSite.run { site in
      let client = try await site.connect()
      try await client.send((0..<1_000).map { Probe.get(target: "/number/\($0)") }.joined())
      for number in 0..<1_000 { #expect(try await client.answer()?.text == "\(number)") }
    }
  }

  @Test func pipelinedRequestsAreHandledOneAtATime() async throws {
    try await TestSite.run { site in
      let client = try await site.connect()
      try await client.send(
        Probe.get(target: "/held/a") + Probe.get(target: "/held/b") + Probe.get(target: "/number/1"))
      await site.gate.arrived(1)
      // Another connection's request is handled meanwhile; the first one's second request is not.
      let other = try await site.connect()
      try await other.send(Probe.get(target: "/held/c"))
      await site.gate.arrived(2)
      await site.gate.open()
      #expect(try await other.answer()?.text == "c")
      for text in ["a", "b", "1"] { #expect(try await client.answer()?.text == text) }
    }
  }

  @Test func anAnswerLargerThanAllBuffersArrivesWhole() async throws {
    try await TestSite.run { site in
      let client = try await site.connect()
      try await client.send(Probe.get(target: "/large") + Probe.get(target: "/number/1"))
      let answer = try #require(await client.answer())
      #expect(answer.body.count == 8 << 20)
      #expect(answer.body.allSatisfy { $0 == 0x61 })
      #expect(try await client.answer()?.text == "1")
    }
  }

  @Test func aClientThatHasSaidAllStillGetsItsAnswers() async throws {
    try await TestSite.run { site in
      let client = try await site.connect()
      try await client.send(Probe.get(target: "/held/a") + Probe.get(target: "/number/1"))
      client.endOutput()
      await site.gate.open()
      #expect(try await client.answer()?.text == "a")
      #expect(try await client.answer()?.text == "1")
      #expect(try await client.isClosedByServer())
    }
  }

  @Test func aClientThatEndsInTheMiddleGetsNothing() async throws {
    try await TestSite.run { site in
      let client = try await site.connect()
      try await client.send(Probe.post("Content-Length: 7\r\n", "{"))
      client.endOutput()
      #expect(try await client.isClosedByServer())
    }
  }

  @Test func aRouteMayTakeALargerBody() async throws {
    let large = String(repeating: "x", count: 300_000)
    try await TestSite.run { configuration in
      configuration.bodyLimit = { $0.target.path == ["import"] ? 400_000 : nil }
    } _: { site in
      let client = try await site.connect()
      try await client.send("POST /import HTTP/1.1\r\nHost: a\r\nContent-Length: \(large.utf8.count)\r\n\r\n" + large)
      #expect(try await client.answer()?.body.count == large.utf8.count)
      // The client can read the refusal although it is still sending: the server does not reset the connection.
      try await client.send("POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: \(large.utf8.count)\r\n\r\n" + large)
      let refusal = try #require(await client.answer())
      #expect(refusal.status == 413)
      #expect(refusal.text.contains("\"code\":\"body_too_large\""))
      #expect(try await client.isClosedByServer())
    }
  }

  @Test func aChunkedBodyArrivesWhole() async throws {
    try await TestSite.run { site in
      let client = try await site.connect()
      let chunk = String(repeating: "y", count: 0x1000)
      try await client.send("POST /echo HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n")
      for _ in 0..<60 { try await client.send("1000\r\n\(chunk)\r\n") }
      try await client.send("0\r\n\r\n")
      let answer = try #require(await client.answer())
      #expect(answer.text == String(repeating: chunk, count: 60))
    }
  }

  @Test func aRequestKnowsWhereItCameFrom() async throws {
    try await TestSite.run { site in
      let client = try await site.connect()
      try await client.send(Probe.get(target: "/whoami"))
      #expect(try await client.answer()?.text == "127.0.0.1 clear")
    }
  }

  @Test func theComposerRendersWhatTheServerAnswersItself() async throws {
    try await TestSite.run { configuration in
      configuration.errorBody = { HTTPResponse(status: $0.status, fields: ["X-Code": $0.rawValue]) }
    } _: { site in
      let client = try await site.connect()
      try await client.send("nonsense\r\n")
      #expect(try await client.answer()?.fields["X-Code"] == "malformed_request")
    }
  }

  @Test func connectionsAreSpreadOverTheLoops() async throws {
    try await TestSite.run(loops: 2) { site in
      for number in 0..<8 {
        let client = try await site.connect()
        try await client.send(Probe.get(target: "/number/\(number)"))
        #expect(try await client.answer()?.text == "\(number)")
      }
    }
  }
}

import HTTP
import TestSupport
import Testing

/// Every probe over a socket against a running server.
@Suite(.timeLimit(.minutes(1))) struct SocketProbeTests {
  @Test(arguments: Probe.table + Probe.refused + Probe.accepted)
  func aProbeGetsItsAnswersAndNoOther(probe: Probe) async throws {
    try await TestSite.run { site in
      let client = try await site.connect()
      try await client.send(probe.bytes)
      let isHEAD = probe.bytes.starts(with: "HEAD".utf8)
      for status in probe.statuses {
        let answer = try #require(await client.answer(toHEAD: isHEAD))
        #expect(answer.status == status)
        if status >= 400, !probe.staysOpen {
          #expect(answer.fields["Connection"] == "close")
          #expect(answer.fields["Content-Type"] == "application/problem+json")
        }
      }
      if probe.staysOpen {
        // Invited to send the body, the client sends it.
        if probe.statuses == [100] {
          try await client.send(Probe.json)
          #expect(try await client.answer()?.status == 202)
        }
        // The next answer belongs to the next request, so there was no answer in between.
        try await client.send(Probe.get(target: "/number/7"))
        #expect(try await client.answer()?.text == "7")
      } else {
        #expect(try await client.isClosedByServer())
      }
      // Alive afterwards.
      let other = try await site.connect()
      try await other.send(Probe.get())
      #expect(try await other.answer()?.status == 200)
    }
  }

  @Test func aRequestSentByteByByteIsAnswered() async throws {
    try await TestSite.run { site in
      let client = try await site.connect()
      for byte in Array(Probe.post("Content-Length: 7\r\nX-A: b\r\n").utf8) { try await client.send([byte]) }
      #expect(try await client.answer()?.status == 202)
    }
  }
}

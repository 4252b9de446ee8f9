import HTTP2
import Testing
import Transport

@testable import APNsSimulator

@Suite("Faults on demand")
struct FaultTests {
  private func push(_ apns: TestAPNs) -> TestPush { TestPush(authorization: apns.token) }

  @Test("every third stream is reset with the chosen code, its neighbours are answered")
  func resets() async throws {
    try await TestAPNs.run { apns in
      let sender = try await apns.openSender()
      apns.sandbox.setFaults(FaultPlan(FaultRule(.reset(code: 2), every: 3)))
      var ends: [StreamEnd] = []
      for serial in 1...6 {
        ends.append(await sender.send(TestPush(token: TestPush.token(serial), authorization: apns.token)).end)
      }
      let reset = StreamEnd.reset(.internalError)
      #expect(ends == [.answered, .answered, reset, .answered, .answered, reset])
      #expect(apns.sandbox.statistics.unanswered == 2)
      #expect(apns.sandbox.delivered(to: TestPush.token(3)).isEmpty)
    }
  }

  @Test("REFUSED_STREAM is told apart as surely not processed")
  func refused() async throws {
    try await TestAPNs.run { apns in
      let sender = try await apns.openSender()
      apns.sandbox.setFaults(FaultPlan(FaultRule(.reset(code: 7), limit: 1)))
      #expect(await sender.send(push(apns)).end == .refused)
      #expect(await sender.send(push(apns)).status == 200)
    }
  }

  @Test("answers of any status, fields and body: HTML, nothing, half a JSON, megabytes, Retry-After")
  func scriptedAnswers() async throws {
    try await TestAPNs.run { apns in
      let sender = try await apns.openSender(maximumBody: 11 << 20)
      let answers: [ScriptedAnswer] = [
        .html(status: 403), ScriptedAnswer(status: 400), .truncatedJSON, .unknownReason,
        .oversized(status: 500, bytes: 10 << 20),
        .reason(.serviceUnavailable, retryAfterSeconds: 17),
        ScriptedAnswer(status: 410, body: Array(#"{"reason":7,"timestamp":"soon"}"#.utf8)),
      ]
      for scripted in answers {
        apns.sandbox.setFaults(FaultPlan(FaultRule(.answer(scripted))))
        let answer = await sender.send(push(apns))
        #expect(answer.status == scripted.status)
        #expect(answer.bodyLength == scripted.body.count)
        #expect(answer.body.utf8.elementsEqual(scripted.body))
        #expect(answer.fields["apns-id"] != nil)
        #expect(answer.fields["retry-after"] == (scripted.status == 503 ? "17" : nil))
      }
    }
  }

  @Test("an answer that says 403 to everything does not keep the connection from opening")
  func refusalForAll() async throws {
    try await TestAPNs.run { apns in
      apns.sandbox.setFaults(FaultPlan(FaultRule(.answer(.reason(.expiredProviderToken)))))
      let sender = try await apns.sender()
      #expect(await sender.send(push(apns)).body == #"{"reason":"ExpiredProviderToken"}"#)
      #expect(await sender.wait { $0.capacity == 1000 })
    }
  }

  @Test("an ignored stream stays open while others are answered, and ends with the connection")
  func ignored() async throws {
    try await TestAPNs.run { apns in
      let sender = try await apns.openSender()
      apns.sandbox.setFaults(FaultPlan(FaultRule(.ignore, limit: 1)))
      async let silent = sender.send(TestPush(token: TestPush.token(1), authorization: apns.token))
      try await apns.sandbox.waitForRequests(2)
      #expect(await sender.send(TestPush(token: TestPush.token(2), authorization: apns.token)).status == 200)
      #expect(await sender.wait { $0.inFlight == 1 })
      apns.sandbox.cutConnections()
      #expect(await silent.end == .lost)
    }
  }

  @Test("a held answer comes later, and is written down when the request comes")
  func held() async throws {
    try await TestAPNs.run { apns in
      let sender = try await apns.openSender()
      apns.sandbox.setFaults(FaultPlan(FaultRule(.hold(milliseconds: 200))))
      let began = ContinuousClock.now
      #expect(await sender.send(push(apns)).status == 200)
      #expect(ContinuousClock.now - began >= .milliseconds(200))
    }
  }

  @Test("a lost answer: the phone has the push, the sender has a broken connection")
  func lostAnswer() async throws {
    try await TestAPNs.run { apns in
      let sender = try await apns.openSender()
      apns.sandbox.setFaults(FaultPlan(FaultRule(.loseAnswer)))
      #expect(await sender.send(push(apns)).end == .lost)
      #expect(apns.sandbox.delivered(to: TestPush.token(1)).count == 1)
      #expect(apns.sandbox.requests().last?.outcome == .answerLost(status: 200))
    }
  }

  @Test("a cut connection: nobody has the push")
  func cut() async throws {
    try await TestAPNs.run { apns in
      let sender = try await apns.openSender()
      apns.sandbox.setFaults(FaultPlan(FaultRule(.closeConnection)))
      #expect(await sender.send(push(apns)).end == .lost)
      #expect(apns.sandbox.delivered(to: TestPush.token(1)).isEmpty)
    }
  }

  @Test("a black hole answers nothing any more, not even a ping, and keeps its socket open")
  func blackHole() async throws {
    try await TestAPNs.run { apns in
      let sender = try await apns.openSender()
      apns.sandbox.setFaults(FaultPlan(FaultRule(.blackHole)))
      async let swallowed = sender.send(TestPush(authorization: apns.token))
      try await apns.sandbox.waitForRequests(2)
      sender.ping(within: .milliseconds(200))
      #expect(await sender.wait { $0.pings == [false] })
      #expect(apns.sandbox.statistics.connectionsOpen == 1)
      sender.close()
      #expect(await swallowed.end == .lost)
    }
  }

  @Test("a rule may send a GOAWAY in front of the answer")
  func goAwayRule() async throws {
    try await TestAPNs.run { apns in
      let sender = try await apns.openSender()
      apns.sandbox.setFaults(FaultPlan(FaultRule(.goAway(GoAwayScript()))))
      #expect(await sender.send(push(apns)).status == 200)
      #expect(await sender.goAways.count == 1)
      #expect(await sender.wait { $0.isClosed })
    }
  }

  @Test("connections closed after their SETTINGS, and silent ones")
  func connectionFaults() async throws {
    try await TestAPNs.run { apns in
      apns.sandbox.setFaults(FaultPlan(connections: .closeAfterSettings))
      let closed = try await apns.sender()
      #expect(await closed.wait { $0.isClosed })
      apns.sandbox.setFaults(FaultPlan(connections: .silent))
      let silent = try await apns.sender()
      silent.ping(within: .milliseconds(200))
      #expect(await silent.wait { $0.pings == [false] && !$0.isClosed })
      silent.close()
    }
  }

  @Test("refused TCP, and again open on the same port; open connections go on meanwhile")
  func listening() async throws {
    try await TestAPNs.run { apns in
      let sender = try await apns.openSender()
      let port = apns.sandbox.port
      await apns.sandbox.stopListening()
      await #expect(throws: TransportError.self) { try await apns.sender() }
      #expect(await sender.send(push(apns)).status == 200)
      try await apns.sandbox.resumeListening()
      #expect(apns.sandbox.port == port)
      #expect(try await apns.sender().send(push(apns)).status == 200)
    }
  }

  @Test(
    "TLS faults fail the handshake, each in its own way, and can be ended",
    arguments: [
      (TLSFault.noALPN, TransportError.Code.noProtocolNegotiated),
      // OpenSSL itself refuses a choice that was not offered.
      (.http1Only, .wrongProtocol),
      (.expiredCertificate, .certificateExpired), (.wrongName, .certificateNameMismatch),
      (.unknownAuthority, .unknownAuthority),
    ])
  func tls(fault: TLSFault, expected: TransportError.Code) async throws {
    try await TestAPNs.run { apns in
      try await apns.sandbox.setTLS(fault)
      do {
        _ = try await apns.sender()
        Issue.record("the handshake succeeded")
      } catch let error as TransportError { #expect(error.code == expected) }
      try await apns.sandbox.setTLS(.none)
      #expect(try await apns.sender().send(push(apns)).status == 200)
    }
  }

  @Test("all registered tokens can be retired at once")
  func retireAll() async throws {
    try await TestAPNs.run { apns in
      apns.sandbox.setDevice(TestPush.token(1), bundleID: "com.example.app")
      apns.sandbox.retireAllDevices(as: .expired(since: 1_764_626_400_000))
      let answer = try await apns.sender().send(push(apns))
      #expect(answer.body == #"{"reason":"ExpiredToken","timestamp":1764626400000}"#)
    }
  }
}

import APNsSimulator
import PushCore
import Testing

@testable import APNs

/// What becomes of pushes, against a simulated Apple.
@Suite struct EngineAnswerTests {
  @Test func aPushArrivesAsItWasMeant() async throws {
    try await EngineBench.run { bench in
      let credential = try bench.credential()
      let group = try bench.group(1, credential, first: 7)
      #expect(await bench.send(group) == [.accepted])
      let request = try #require(bench.host.requests().first)
      let push = try #require(group.messages[0] as? CompiledPush)
      #expect(request.body == Array(Fixture.render(push.payload(for: nil), proof: 7).utf8))
      #expect(request.value(":method") == "POST")
      #expect(request.deviceToken == EngineBench.token(7).hex)
      #expect(request.value("apns-id") == EngineBench.apnsID(7))
      #expect(request.value("apns-topic") == "com.example.shop")
      #expect(request.value("apns-push-type") == "alert")
      #expect(request.value("apns-priority") == "10")
      #expect(request.value("apns-expiration") == String(push.expiration))
      #expect(request.value("apns-collapse-id") == Fixture.message.description)
    }
  }

  @Test func tokensOfEveryLengthFit() async throws {
    try await EngineBench.run { bench in
      let credential = try bench.credential()
      let good = try bench.group(1, credential)
      // The simulator, like Apple's announcement, takes up to 100 bytes.
      let recipients = [1, 32, 80, 100].map { length in
        Recipient(
          installation: InstallationID(1), token: DeviceToken(stored: [UInt8](repeating: 0x5a, count: length)),
          message: 0, locale: nil, signature: DeliverySignature(proof: 1, apnsID: .max))
      }
      let answers = await bench.send(
        SendGroup(
          app: good.app, environment: good.environment, credential: credential, messages: good.messages,
          recipients: recipients))
      #expect(answers == .accepted(4))
      #expect(bench.host.requests().map { $0.deviceToken.count } == [2, 64, 160, 200])
    }
  }

  @Test func twoHundredColdPushesUseOneToken() async throws {
    try await EngineBench.run { bench in
      let credential = try bench.credential()
      try await withThrowingTaskGroup(of: Void.self) { tasks in
        for task in 0..<8 {
          tasks.addTask {
            for index in 0..<25 {
              let group = try bench.group(1, credential, first: task * 25 + index)
              #expect(await bench.send(group) == [.accepted])
            }
          }
        }
        try await tasks.waitForAll()
      }
      #expect(bench.store.minted == 1)
      #expect(bench.host.statistics.distinctAuthorizations == 1)
    }
  }

  @Test func oneBadTokenAndOneResetAmongAHundred() async throws {
    try await EngineBench.run { bench in
      let credential = try bench.credential()
      bench.host.setFaults(
        FaultPlan(
          FaultRule(.answer(.reason(.badDeviceToken)), tokenPrefix: EngineBench.token(50).hex),
          FaultRule(.reset(code: 2), tokenPrefix: EngineBench.token(70).hex)))
      var expected: [ProviderAnswer] = .accepted(100)
      expected[50] = .rejected(Reason(rawValue: "BadDeviceToken"), .dead)
      expected[70] = .unanswered(.streamReset)
      #expect(await bench.send(try bench.group(100, credential)) == expected)
      #expect(bench.host.statistics.requests == 100)
    }
  }

  @Test func aDeadTokenTellsSinceWhen() async throws {
    try await EngineBench.run { bench in
      let credential = try bench.credential()
      bench.host.setDevice(
        EngineBench.token(0).hex, bundleID: "com.example.shop", state: .unregistered(since: 1_700_000_000_123))
      #expect(
        await bench.send(try bench.group(1, credential)) == [
          .rejected(
            Reason(rawValue: "Unregistered"), .deadSince(Timestamp(milliseconds: 1_700_000_000_123)))
        ])
    }
  }

  @Test func aSandboxTokenIsSentToTheSandbox() async throws {
    try await EngineBench.run { bench in
      let credential = try bench.credential()
      #expect(await bench.send(try bench.group(1, credential, environment: .development)) == [.accepted])
      #expect(bench.apple.sandbox.statistics.requests == 1)
      #expect(bench.apple.production.statistics.requests == 0)
    }
  }

  @Test(arguments: [
    (ScriptedAnswer.html(status: 502), ProviderAnswer.retry(Reason(rawValue: "http_502"), after: nil)),
    (.oversized(status: 400, bytes: 10_000_000), .rejected(Reason(rawValue: "http_400"), .keep)),
    (.unknownReason, .rejected(Reason(rawValue: "SomethingNew"), .keep)),
    (.truncatedJSON, .rejected(Reason(rawValue: "http_400"), .keep)),
    (ScriptedAnswer(status: 520), .retry(Reason(rawValue: "http_520"), after: nil)),
    (
      .reason(.serviceUnavailable, retryAfterSeconds: 17),
      .retry(Reason(rawValue: "ServiceUnavailable"), after: Seconds(17))
    ),
  ])
  func oddAnswersAreClassified(answer: ScriptedAnswer, expected: ProviderAnswer) async throws {
    try await EngineBench.run { bench in
      let credential = try bench.credential()
      bench.host.setFaults(FaultPlan(FaultRule(.answer(answer), limit: 1)))
      #expect(await bench.send(try bench.group(1, credential)) == [expected])
    }
  }

  /// The simulator's table of reasons was written apart from ours.
  @Test(arguments: RefusalReason.allCases) func everyReasonOfApplesIsKnown(reason: RefusalReason) async throws {
    try await EngineBench.run { bench in
      let credential = try bench.credential()
      bench.host.setFaults(FaultPlan(FaultRule(.answer(.reason(reason)))))
      let answers = await bench.send(try bench.group(1, credential))
      let expected = ReasonTable.verdict(
        status: reason.status, error: ErrorBody(reason: reason.rawValue), retryAfter: nil, answeredAt: .now())
      #expect(answers == [expected.answer])
      #expect(ReasonTable.knownReasons.contains(reason.rawValue))
    }
  }

  @Test func aRefusedKeyHoldsTheGroupAndAGoodOneWorksAtOnce() async throws {
    try await EngineBench.run { bench in
      let bad = try bench.credential()
      bench.apple.revoke(teamID: bad.teamID, keyID: bad.keyID)
      let answers = await bench.send(try bench.group(5000, bad))
      #expect(
        answers == Array(repeating: .held(Reason(rawValue: "InvalidProviderToken"), .credential), count: 5000))
      #expect(bench.host.statistics.requests < 50)
      #expect(await bench.send(try bench.group(10, try bench.credential())) == .accepted(10))
    }
  }

  @Test func expiredForEverIsNoLoop() async throws {
    try await EngineBench.run { bench in
      let credential = try bench.credential()
      bench.host.setFaults(FaultPlan(FaultRule(.answer(.reason(.expiredProviderToken)))))
      let answers = await bench.send(try bench.group(100, credential))
      #expect(answers == Array(repeating: .held(Reason(rawValue: "ExpiredProviderToken"), .credential), count: 100))
      #expect(bench.store.minted == 1)
      #expect(bench.host.statistics.requests <= 200)
    }
  }

  @Test func anExpiredTokenIsRenewedWithoutLoss() async throws {
    try await EngineBench.run { bench in
      let credential = try bench.credential()
      #expect(await bench.send(try bench.group(1, credential)) == [.accepted])
      bench.store.moveClock(seconds: 25 * 60)
      bench.host.setFaults(FaultPlan(FaultRule(.answer(.reason(.expiredProviderToken)), limit: 40)))
      #expect(await bench.send(try bench.group(40, credential, first: 100)) == .accepted(40))
      #expect(bench.store.minted == 2)
      #expect(bench.host.statistics.distinctAuthorizations == 2)
    }
  }

  @Test func aStopReportsWhatIsUnderWay() async throws {
    try await EngineBench.run { bench in
      let credential = try bench.credential()
      bench.host.setFaults(FaultPlan(FaultRule(.ignore)))
      async let answers = bench.send(try bench.group(2000, credential))
      try await bench.host.waitForRequests(500)
      await bench.provider.stop(within: .milliseconds(100))
      let found = try await answers
      #expect(found.count(.unanswered(.noAnswer)) >= 500)
      #expect(found.count(.unanswered(.noAnswer)) + found.count(.unsent(.stopping)) == 2000)
      #expect(await bench.send(try bench.group(1, credential)) == [.unsent(.stopping)])
    }
  }

  @Test(arguments: 1...3) func tenThousandResultsUnderFaultsComeOnceEach(round: Int) async throws {
    try await EngineBench.run(settings: { $0.answerDeadline = .milliseconds(500) }) { bench in
      let credential = try bench.credential()
      bench.host.setFaults(
        FaultPlan(
          FaultRule(.goAway(GoAwayScript()), every: 1501), FaultRule(.closeConnection, every: 2503),
          FaultRule(.loseAnswer, every: 1999), FaultRule(.reset(code: 7), every: 97),
          FaultRule(.reset(code: 2), every: 89), FaultRule(.ignore, every: 401),
          FaultRule(.answer(.reason(.internalServerError)), every: 83),
          FaultRule(.answer(.reason(.unregistered, timestamp: 1_700_000_000_000)), every: 31),
          FaultRule(.answer(.reason(.badDeviceToken)), every: 71)))
      try await withThrowingTaskGroup(of: [ProviderAnswer].self) { tasks in
        for part in 0..<10 { tasks.addTask { await bench.send(try bench.group(1000, credential, first: part * 1000)) } }
        var all: [ProviderAnswer] = []
        for try await answers in tasks { all += answers }
        #expect(all.count == 10_000)
        // Five cuts (one in 1 999) lose at most the 1 000 pushes under way each, the other faults some 850 answers.
        #expect(all.count(.accepted) > 10_000 - 5 * 1000 - 1000)
      }
    }
  }

  @Test(arguments: [0, -1, 1_000_000_000]) func nonsenseInTheSettingsStopsTheStart(number: Int) async throws {
    for change in [
      { $0.connectionsPerPool = number }, { $0.streamsPerConnection = number }, { $0.openPools = number },
    ] as [(inout APNsSettings) -> Void] {
      await #expect(throws: APNsError.self) { try await EngineBench.run(settings: change) { _ in } }
    }
  }
}

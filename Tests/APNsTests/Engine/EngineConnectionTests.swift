import ServiceKit
import APNsSimulator
import PushCore
import Testing

@testable import APNs

/// The life of connections, against a simulated Apple.
@Suite struct EngineConnectionTests {
  @Test func aThousandPushesOneAfterTheOtherUseOneConnection() async throws {
    try await EngineBench.run { bench in
      let credential = try bench.credential()
      for index in 0..<1000 {
        #expect(await bench.send(try bench.group(1, credential, first: index)) == [.accepted])
      }
      #expect(bench.host.statistics.connectionsAccepted == 1)
    }
  }

  @Test func whatIsUnderWayIsSplitAtTheLastStreamOfAGoAway() async throws {
    try await EngineBench.run { bench in
      let credential = try bench.credential()
      #expect(await bench.send(try bench.group(1, credential, first: 1000)) == [.accepted])
      bench.host.reset()
      bench.host.setFaults(FaultPlan(latency: .fixed(milliseconds: 500)))
      async let answers = bench.send(try bench.group(20, credential))
      try await bench.host.waitForRequests(20)
      let streams = bench.host.requests().map(\.stream)
      bench.host.setFaults(FaultPlan())
      bench.host.goAway(GoAwayScript(lastStream: .number(streams[9])))
      #expect(try await answers == .accepted(20))
      // The upper half came a second time, once each, in any order, over the one connection that was opened since the reset.
      #expect(Array(bench.arrivedIDs.prefix(20)) == (0..<20).map(EngineBench.apnsID))
      #expect(bench.arrivedIDs.dropFirst(20).sorted() == (10..<20).map(EngineBench.apnsID))
      #expect(bench.host.statistics.connectionsAccepted == 1)
    }
  }

  @Test func aGoAwayOnAnIdleConnectionIsHeard() async throws {
    try await EngineBench.run { bench in
      let credential = try bench.credential()
      #expect(await bench.send(try bench.group(1, credential)) == [.accepted])
      bench.host.goAway(GoAwayScript(lastStream: .newest, ending: .keepOpen))
      // The server keeps it open: it is the client that has heard and closes what it may not use any more.
      try await bench.host.waitForConnections(open: 0)
      #expect(await bench.send(try bench.group(100, credential, first: 1)) == .accepted(100))
      #expect(bench.host.statistics.connectionsAccepted == 2)
    }
  }

  @Test func theStreamLimitIsFollowed() async throws {
    try await EngineBench.run(settings: { $0.connectionsPerPool = 1 }) { bench in
      let credential = try bench.credential()
      bench.host.setFaults(FaultPlan(latency: .fixed(milliseconds: 5)))
      async let answers = bench.send(try bench.group(3000, credential))
      for (limit, requests) in [(UInt32(1000), 100), (1, 1100), (0, 1110), (500, 1110)] {
        try await bench.host.waitForRequests(requests)
        bench.host.setStreamLimit(limit)
      }
      #expect(try await answers == .accepted(3000))
      #expect(bench.host.statistics.connectionsAccepted == 1)
    }
  }

  @Test func oneResetStreamOfAHundredTouchesNoOther() async throws {
    try await EngineBench.run { bench in
      let credential = try bench.credential()
      bench.host.setFaults(FaultPlan(FaultRule(.reset(code: 2), every: 50, limit: 1)))
      let answers = await bench.send(try bench.group(100, credential))
      #expect(answers.count(.accepted) == 99)
      #expect(answers.count(.unanswered(.streamReset)) == 1)
      #expect(bench.host.statistics.connectionsAccepted == 1)
    }
  }

  @Test func answersThatNeverComeEndAtTheDeadline() async throws {
    try await EngineBench.run(settings: { $0.answerDeadline = .milliseconds(300) }) { bench in
      let credential = try bench.credential()
      bench.host.setFaults(FaultPlan(FaultRule(.ignore, every: 50)))
      let answers = await bench.send(try bench.group(100, credential))
      #expect(answers.count(.unanswered(.noAnswer)) == 2)
      #expect(answers.count(.accepted) == 98)
    }
  }

  @Test func aBlackHoleIsLeftAndTheNextPushGoesElsewhere() async throws {
    try await EngineBench.run(settings: { $0.answerDeadline = .milliseconds(300) }) { bench in
      let credential = try bench.credential()
      #expect(await bench.send(try bench.group(1, credential)) == [.accepted])
      bench.host.blackHole()
      let lost = await bench.send(try bench.group(100, credential, first: 100))
      #expect(lost == Array(repeating: .unanswered(.noAnswer), count: 100))
      #expect(await bench.send(try bench.group(100, credential, first: 200)) == .accepted(100))
    }
  }

  @Test func aCutConnectionLeavesItsPushesUnknown() async throws {
    try await EngineBench.run { bench in
      let credential = try bench.credential()
      bench.host.setFaults(FaultPlan(FaultRule(.closeConnection, every: 10, limit: 1)))
      let answers = await bench.send(try bench.group(200, credential))
      #expect(answers.count(.accepted) + answers.count(.unanswered(.connectionLost)) == 200)
      #expect(answers.count(.unanswered(.connectionLost)) >= 1)
    }
  }

  @Test func aRefusingServerIsNotHammered() async throws {
    try await EngineBench.run(settings: { $0.patience = .seconds(1) }) { bench in
      let credential = try bench.credential()
      await bench.host.stopListening()
      let answers = await bench.send(try bench.group(4000, credential))
      #expect(answers == Array(repeating: .unsent(.notConnected), count: 4000))
      #expect(bench.metrics.exposition().contains("bolrach_apns_connect_failures_total"))
      try await bench.host.resumeListening()
      #expect(await bench.send(try bench.group(10, credential)) == .accepted(10))
    }
  }

  @Test func aServerThatClosesAfterItsSettingsIsNotHammered() async throws {
    try await EngineBench.run(settings: { $0.patience = .seconds(2) }) { bench in
      let credential = try bench.credential()
      bench.host.setFaults(FaultPlan(connections: .closeAfterSettings))
      let answers = await bench.send(try bench.group(500, credential))
      #expect(answers.allSatisfy { $0 == .unsent(.notConnected) || $0 == .unanswered(.connectionLost) })
      #expect(answers.count(.unsent(.notConnected)) >= 450)
      // From 100 ms doubling: 5 or 6 in the first seconds.
      #expect(bench.host.statistics.connectionsAccepted <= 8)
    }
  }

  @Test(arguments: TLSFault.allCases.filter { $0 != .none }) func aBadServerIsNotSpokenTo(fault: TLSFault) async throws
  {
    try await EngineBench.run(settings: { $0.patience = .milliseconds(500) }) { bench in
      let credential = try bench.credential()
      try await bench.host.setTLS(fault)
      let answers = await bench.send(try bench.group(10, credential))
      #expect(answers == Array(repeating: .unsent(.notConnected), count: 10))
      #expect(bench.host.statistics.requests == 0)
    }
  }

  @Test func twoTeamsShareNoConnection() async throws {
    try await EngineBench.run { bench in
      let first = try bench.credential(1)
      let second = try bench.credential(2)
      for round in 0..<10 {
        async let one = bench.send(try bench.group(20, first, first: round * 100))
        async let two = bench.send(try bench.group(20, second, first: round * 100 + 50))
        #expect(try await one == .accepted(20))
        #expect(try await two == .accepted(20))
      }
      #expect(bench.host.statistics.connectionsAccepted == 2)
      #expect(bench.host.statistics.distinctAuthorizations == 2)
    }
  }

  @Test func manyQuietTenantsKeepFewConnections() async throws {
    try await EngineBench.run(settings: { $0.openPools = 5 }) { bench in
      for number in 1...30 {
        #expect(await bench.send(try bench.group(1, try bench.credential(number))) == [.accepted])
      }
      try await bench.host.wait(within: .seconds(5)) { $0.connectionsOpen <= 5 }
    }
  }

  @Test func anIdleConnectionIsClosed() async throws {
    try await EngineBench.run(settings: { $0.idle = .milliseconds(300) }) { bench in
      let credential = try bench.credential()
      #expect(await bench.send(try bench.group(1, credential)) == [.accepted])
      try await bench.host.waitForConnections(open: 0)
      #expect(await bench.send(try bench.group(1, credential)) == [.accepted])
    }
  }
}

import PushCore
import TestSupport
import Testing

@testable import APNs

/// A pool's behaviour, with a scripted server and a clock that the test moves.
@Suite struct PoolTests {
  private let bench = PoolBench()
  private var host: ScriptedHost { bench.host }
  private static let badToken = #"{"reason":"BadDeviceToken"}"#
  private static let notVerifiable = #"{"reason":"InvalidProviderToken"}"#
  private static let expiredToken = #"{"reason":"ExpiredProviderToken"}"#

  @Test func twoHundredColdPushesUseOneTokenAndOneConnection() throws {
    for index in 0..<200 { bench.send(try PoolBench.group(1, first: index), as: "\(index)") }
    #expect(host.fetches.count == 1)
    #expect(host.connects == 1)
    #expect(Set(bench.connection.open.map(\.headers.authorization)).count == 1)
    bench.connection.answerAll()
    host.settle()
    for index in 0..<200 { #expect(bench.answers("\(index)", count: 1) == [.accepted]) }
  }

  @Test func eachPushGoesToItsTokenWithItsOwnID() throws {
    bench.send(try PoolBench.group(3))
    #expect(bench.connection.open.map(\.apnsID) == [0, 1, 2])
    #expect(bench.connection.open.map(\.token) == (0..<3).map { PoolBench.recipient($0).token })
    let headers = try #require(bench.connection.open.first?.headers)
    #expect(
      headers.fields.map { "\($0.name): \($0.value)" } == [
        "apns-topic: com.example.shop", "apns-push-type: alert", "apns-priority: 10",
        "apns-expiration: \(Fixture.now.secondsSinceEpoch + 86_400)", "apns-collapse-id: \(Fixture.message)",
      ])
    #expect(headers.authorization == Array("bearer token-1".utf8))
  }

  // MARK: Connections end

  @Test func aGoAwaySplitsWhatIsUnderWay() throws {
    bench.send(try PoolBench.group(20))
    let old = bench.connection
    old.goAway(keeping: 10)
    host.pass(.seconds(1))
    let new = bench.connection
    #expect(new !== old)
    #expect(new.open.map(\.apnsID) == (10..<20).map { UInt128($0) })
    old.answerAll()
    new.answerAll()
    host.settle()
    #expect(bench.answers(count: 20) == Array(repeating: .accepted, count: 20))
  }

  @Test func aDrainingConnectionGetsNoNewPushes() throws {
    bench.send(try PoolBench.group(1), as: "first")
    let old = bench.connection
    old.answerAll()
    host.settle()
    host.pass(.seconds(5))
    old.goAway(keeping: 0)
    bench.send(try PoolBench.group(100), as: "second")
    #expect(old.submitted.count == 1)
    #expect(bench.connection.open.count == 100)
  }

  @Test func whatALostConnectionHadUnderWayIsUnknown() throws {
    bench.send(try PoolBench.group(3))
    bench.connection.answer()
    bench.connection.lose()
    host.settle()
    #expect(bench.answers(count: 3) == [.accepted, .unanswered(.connectionLost), .unanswered(.connectionLost)])
  }

  @Test func aPushThatIsRefusedForEverIsGivenBack() throws {
    bench.send(try PoolBench.group(1))
    for _ in 0..<6 {
      bench.connection.refuse()
      host.settle()
    }
    #expect(bench.connection.submitted.count == 6)
    #expect(bench.answers(count: 1) == [.unsent(.streamRefused)])
  }

  @Test func withoutAConnectionPushesAreGivenBackAndNoStormBegins() throws {
    host.refusesConnects = true
    bench.send(try PoolBench.group(4000))
    host.pass(.seconds(12))
    #expect(bench.answers(count: 4000) == Array(repeating: .unsent(.notConnected), count: 4000))
    #expect(host.connects <= 10)
    // With nothing to send there is nothing to connect for.
    let connects = host.connects
    host.pass(.seconds(600))
    #expect(host.connects == connects)
  }

  @Test func connectionsThatEndBeforeAnyAnswerAreAsBadAsNone() throws {
    host.streamLimit = 0
    bench.send(try PoolBench.group(10))
    for _ in 0..<100 {
      if !host.connections.isEmpty { bench.connection.lose() }
      host.pass(.milliseconds(120))
    }
    #expect(bench.answers(count: 10) == Array(repeating: .unsent(.notConnected), count: 10))
    #expect(host.connects <= 10)
  }

  // MARK: Streams

  @Test func theStreamLimitIsFollowedUpAndDown() throws {
    host.streamLimit = 1
    bench.send(try PoolBench.group(200))
    let connection = bench.connection
    #expect(connection.open.count == 1)
    connection.limit = 50
    connection.answer()
    host.settle()
    #expect(connection.open.count == 50)
    connection.limit = 1
    for _ in 0..<49 { connection.answer() }
    host.settle()
    #expect(connection.open.count == 1)
    connection.limit = 0
    connection.answer()
    host.pass(.seconds(2))
    #expect(connection.open.isEmpty)
    connection.limit = 500
    connection.owner.connectionHasCapacity(connection.number)
    host.settle()
    #expect(connection.open.count == 149)
    connection.answerAll()
    host.settle()
    #expect(bench.answers(count: 200) == Array(repeating: .accepted, count: 200))
    #expect(host.connects == 1)
  }

  @Test func aConnectionThatNeverTakesAnythingIsGivenUp() throws {
    bench.send(try PoolBench.group(1), as: "first")
    bench.connection.answerAll()
    bench.connection.limit = 0
    bench.send(try PoolBench.group(5), as: "second")
    host.pass(.seconds(31))
    #expect(bench.answers("second", count: 5) == Array(repeating: .unsent(.noCapacity), count: 5))
  }

  @Test func oneResetStreamIsOneUnknownPush() throws {
    bench.send(try PoolBench.group(100))
    bench.connection.resetStream(42)
    bench.connection.answerAll()
    host.settle()
    var expected = Array(repeating: ProviderAnswer.accepted, count: 100)
    expected[42] = .unanswered(.streamReset)
    #expect(bench.answers(count: 100) == expected)
    #expect(host.connects == 1)
  }

  @Test func neighboursOfABadTokenAreNotTouched() throws {
    bench.send(try PoolBench.group(100))
    bench.connection.resetStream(70)
    bench.connection.answer(50, 400, Self.badToken)
    bench.connection.answerAll()
    host.settle()
    var expected = Array(repeating: ProviderAnswer.accepted, count: 100)
    expected[50] = .rejected(Reason(rawValue: "BadDeviceToken"), .dead)
    expected[70] = .unanswered(.streamReset)
    #expect(bench.answers(count: 100) == expected)
    #expect(bench.connection.submitted.count == 100)
  }

  @Test func anAnswerThatNeverComesEndsAtItsDeadline() throws {
    bench.send(try PoolBench.group(10))
    let connection = bench.connection
    for _ in 0..<9 { connection.answer(1) }
    host.pass(.seconds(19))
    #expect(bench.finished.isEmpty)
    host.pass(.seconds(1))
    #expect(bench.answers(count: 10) == [.unanswered(.noAnswer)] + Array(repeating: .accepted, count: 9))
    #expect(connection.resetTags.count == 1)
    // One silence is no reason to leave; the slot is free.
    #expect(!connection.isDraining)
    #expect(bench.pool.flights.count == 0)
  }

  @Test func aSilentConnectionIsProbedAndLeft() throws {
    bench.send(try PoolBench.group(100))
    let connection = bench.connection
    host.pass(.seconds(6))
    #expect(connection.probes > 0)
    host.pass(.seconds(15))
    #expect(connection.isDraining)
    #expect(bench.answers(count: 100) == Array(repeating: .unanswered(.noAnswer), count: 100))
  }

  // MARK: Faults

  @Test func severalServerFaultsInARowRetireTheConnection() throws {
    bench.send(try PoolBench.group(10))
    for _ in 0..<4 { bench.connection.answer(0, 500, #"{"reason":"InternalServerError"}"#) }
    #expect(!bench.connection.isDraining)
    bench.connection.answer()
    for _ in 0..<5 { bench.connection.answer(0, 500, #"{"reason":"InternalServerError"}"#) }
    #expect(bench.connection.isDraining)
  }

  @Test func aShutdownReplacesTheConnection() throws {
    bench.send(try PoolBench.group(2))
    bench.connection.answer(0, 503, #"{"reason":"Shutdown"}"#)
    #expect(bench.connection.isDraining)
  }

  @Test func aRefusedCredentialHoldsTheGroupAfterAFewReplies() throws {
    host.streamLimit = 1
    bench.send(try PoolBench.group(1000))
    for _ in 0..<3 {
      bench.connection.answer(0, 403, Self.notVerifiable)
      host.settle()
    }
    let answer = ProviderAnswer.held(Reason(rawValue: "InvalidProviderToken"), .credential)
    #expect(bench.answers(count: 1000) == Array(repeating: answer, count: 1000))
    #expect(host.connects == 1)
    // After the fix a new connection is used.
    bench.send(try PoolBench.group(1), as: "later")
    #expect(host.connects == 2)
  }

  @Test func aSingleRefusalIsNotKeptForTheNextPush() throws {
    bench.send(try PoolBench.group(1))
    bench.connection.answer(0, 403, Self.notVerifiable)
    host.settle()
    bench.send(try PoolBench.group(1), as: "later")
    host.pass(.seconds(1))
    #expect(host.connects == 2)
  }

  @Test func aDisallowedTopicHoldsTheGroup() throws {
    host.streamLimit = 10
    bench.send(try PoolBench.group(500))
    for _ in 0..<10 { bench.connection.answer(0, 400, #"{"reason":"TopicDisallowed"}"#) }
    host.settle()
    let answer = ProviderAnswer.held(Reason(rawValue: "TopicDisallowed"), .configuration)
    #expect(bench.answers(count: 500) == Array(repeating: answer, count: 500))
  }

  // MARK: Provider tokens

  @Test func anExpiredTokenIsRenewedOnceAndEachPushSentOnceMore() throws {
    bench.send(try PoolBench.group(50))
    let old = bench.connection
    host.tokenText = "token-2"
    old.answerAll(403, Self.expiredToken)
    host.pass(.seconds(1))
    #expect(host.fetches == [Seconds(2400), Seconds(1200)])
    #expect(bench.connection !== old)
    #expect(
      Set(bench.connection.open.map { String(decoding: $0.headers.authorization, as: UTF8.self) }) == ["bearer token-2"]
    )
    bench.connection.answerAll()
    host.settle()
    #expect(bench.answers(count: 50) == Array(repeating: .accepted, count: 50))
  }

  @Test func expiredForEverEndsInAHoldAndNotInALoop() throws {
    bench.send(try PoolBench.group(100))
    for round in 2..<200 where bench.finished.isEmpty {
      host.tokenText = "token-\(min(round, 3))"
      for connection in host.connections where !connection.isClosed { connection.answerAll(403, Self.expiredToken) }
      host.pass(.seconds(1))
    }
    let answer = ProviderAnswer.held(Reason(rawValue: "ExpiredProviderToken"), .credential)
    #expect(bench.answers(count: 100) == Array(repeating: answer, count: 100))
    #expect(host.fetches.count <= 4)
  }

  @Test func aTokenThatCannotBeRenewedHoldsThePush() throws {
    bench.send(try PoolBench.group(1))
    bench.connection.answer(0, 403, Self.expiredToken)
    host.settle()
    #expect(bench.answers(count: 1) == [.held(Reason(rawValue: "ExpiredProviderToken"), .credential)])
  }

  @Test func withoutAProviderTokenPushesAreGivenBack() throws {
    host.storeFails = true
    bench.send(try PoolBench.group(10))
    host.pass(.seconds(12))
    #expect(bench.answers(count: 10) == Array(repeating: .unsent(.noProviderToken), count: 10))
  }

  @Test func theTokenIsRenewedWhilePushesFlow() throws {
    for minute in 0..<120 {
      host.tokenText = "token-\(minute)"
      bench.send(try PoolBench.group(1), as: "\(minute)")
      bench.connection.answerAll()
      host.pass(.seconds(60))
    }
    #expect(host.fetches.count == 3)
    #expect(host.connects == 1)
  }

  // MARK: Groups

  @Test func aSmallGroupIsNotBehindALargeOne() throws {
    host.streamLimit = 100
    bench.send(try PoolBench.group(4000), as: "large")
    bench.send(try PoolBench.group(3, first: 10_000), as: "small")
    for _ in 0..<50 { bench.connection.answer() }
    host.settle()
    #expect(bench.connection.submitted.contains { $0.apnsID == 10_000 })
    while let busy = host.connections.first(where: { !$0.open.isEmpty }) {
      busy.answer()
      host.settle()
    }
    #expect(bench.finished == ["small", "large"])
  }

  @Test func anExpiredMessageIsNotSent() throws {
    host.storeFails = true
    bench.send(try PoolBench.group(10, timeToLive: 5))
    host.pass(.seconds(6))
    host.storeFails = false
    host.pass(.seconds(3))
    #expect(bench.answers(count: 10) == Array(repeating: .expired, count: 10))
    #expect(host.connections.allSatisfy { $0.submitted.isEmpty })
  }

  @Test func aForeignMessageIsReportedAndNotSent() throws {
    struct Foreign: CompiledMessage {}
    let good = try PoolBench.group(1)
    bench.send(
      SendGroup(
        app: Fixture.app, environment: .production, credential: PoolBench.credential, messages: [Foreign()],
        recipients: good.recipients))
    host.pass(.seconds(1))
    #expect(bench.answers(count: 1) == [.rejected(.notRenderable, .keep)])
  }

  @Test func anEmptyGroupEndsAtOnce() throws {
    bench.send(try PoolBench.group(0))
    #expect(bench.finished == ["group"])
    #expect(host.connects == 0)
  }

  @Test func resultsTravelInPortionsAndAreNotKeptBack() throws {
    bench.send(try PoolBench.group(1000))
    for _ in 0..<300 { bench.connection.answer() }
    host.settle()
    #expect(bench.portions == [256])
    host.pass(.milliseconds(100))
    #expect(bench.portions == [256, 44])
    bench.connection.answerAll()
    host.settle()
    #expect(bench.portions.reduce(0, +) == 1000)
  }

  @Test func aStopEndsEverything() throws {
    host.streamLimit = 10
    bench.send(try PoolBench.group(100))
    bench.pool.stop()
    bench.connection.answer()
    host.settle()
    bench.pool.abandon()
    host.settle()
    var expected = Array(repeating: ProviderAnswer.unsent(.stopping), count: 100)
    expected.replaceSubrange(0..<10, with: [.accepted] + Array(repeating: .unanswered(.noAnswer), count: 9))
    #expect(bench.answers(count: 100) == expected)
    bench.send(try PoolBench.group(1), as: "late")
    #expect(bench.answers("late", count: 1) == [.unsent(.stopping)])
  }

  // MARK: Everything at once

  @Test(arguments: 1...8) func underRandomFaultsEveryRecipientIsReportedOnce(seed: UInt64) throws {
    var random = SplitMix(seed: seed)
    for group in 0..<10 { bench.send(try PoolBench.group(1000, first: group * 1000), as: "\(group)") }
    for _ in 0..<20_000 where bench.finished.count < 10 {
      guard let connection = host.connections.filter({ !$0.open.isEmpty }).randomElement(using: &random) else {
        host.pass(.milliseconds(500))
        continue
      }
      let index = Int.random(in: 0..<connection.open.count, using: &random)
      switch Int.random(in: 0..<200, using: &random) {
      case 0: connection.goAway(keeping: index)
      case 1: connection.lose()
      case 2: connection.resetStream(index)
      case 3...9: connection.refuse(index)
      case 10...14: connection.answer(index, 500, "oops")
      case 15...19: connection.answer(index, 410, #"{"reason":"Unregistered","timestamp":1700000000000}"#)
      case 20: connection.limit = [0, 1, 10, 1000].randomElement(using: &random) ?? 1000
      case 21: host.pass(.seconds(1))
      default: connection.answer(index)
      }
      if index % 16 == 0 { host.settle() }
    }
    host.pass(.seconds(120))
    for group in 0..<10 { _ = bench.answers("\(group)", count: 1000) }
    #expect(bench.pool.flights.count == 0)
    #expect(bench.pool.isQuiet)
  }
}

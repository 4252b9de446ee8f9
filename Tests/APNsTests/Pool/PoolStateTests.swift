import Testing
import Transport

@testable import APNs

@Suite struct PoolStateTests {
  private let start = MonotonicTime(nanoseconds: 1_000_000_000_000)
  private func at(seconds: Int64) -> MonotonicTime { start + .seconds(seconds) }

  /// A pool with this many connections that have answered.
  private func pool(connections: Int) -> PoolState {
    var pool = PoolState()
    for number in 1...connections {
      _ = pool.demand(pushes: connections * 1000, at: start)
      pool.connected(number, at: start)
      pool.proved(number)
    }
    return pool
  }

  @Test func nothingToSendNeedsNoConnection() {
    var pool = PoolState()
    #expect(pool.demand(pushes: 0, at: start) == nil)
  }

  @Test func aFewPushesNeedOne() {
    var pool = PoolState()
    #expect(pool.demand(pushes: 1, at: start) == .connect(1))
    // However often they ask.
    #expect(pool.demand(pushes: 1000, at: start) == nil)
    pool.connected(1, at: start)
    #expect(pool.demand(pushes: 1000, at: start) == nil)
  }

  @Test func loadOpensMoreOneAfterTheOtherUpToTheBound() {
    var pool = PoolState()
    for number in 1...4 {
      #expect(pool.demand(pushes: 100_000, at: start) == .connect(number))
      #expect(pool.demand(pushes: 100_000, at: start) == nil)
      pool.connected(number, at: start)
    }
    #expect(pool.demand(pushes: 100_000, at: start) == nil)
  }

  @Test func failuresSpreadOut() {
    var pool = PoolState()
    var now = start
    var connects = 0
    // Ten minutes of a server that refuses, asked every 10 ms.
    for _ in 0..<60_000 {
      if let order = pool.demand(pushes: 100_000, at: now), case .connect(let number) = order {
        connects += 1
        pool.connectFailed(number, at: now, random: 0)
      }
      now = now + .milliseconds(10)
    }
    // Nine on the way to the cap of 30 s, then one in 15 s at the least of the jitter.
    #expect((30...55).contains(connects))
  }

  @Test func aConnectionThatEndsWithoutAnAnswerIsAFailure() {
    var pool = PoolState()
    _ = pool.demand(pushes: 1, at: start)
    pool.connected(1, at: start)
    pool.closed(1, at: at(seconds: 20), random: 1)
    #expect(pool.demand(pushes: 1, at: at(seconds: 20)) == nil)
    #expect(pool.demand(pushes: 1, at: at(seconds: 21)) == .connect(2))
  }

  @Test func oneThatHasServedIsReplacedAtOnce() {
    var pool = pool(connections: 1)
    #expect(pool.retire(1, at: at(seconds: 60), random: 1) == .drain(1))
    #expect(pool.demand(pushes: 1, at: at(seconds: 60)) == .connect(2))
    pool.closed(1, at: at(seconds: 61), random: 1)
    #expect(pool.count == 1)
  }

  @Test func oneIsRetiredOnce() {
    var pool = pool(connections: 1)
    _ = pool.retire(1, at: at(seconds: 60), random: 0)
    #expect(pool.retire(1, at: at(seconds: 60), random: 0) == nil)
    #expect(pool.retire(7, at: at(seconds: 60), random: 0) == nil)
  }

  @Test func servingASecondIsNoCure() {
    // A server that says GOAWAY after each first answer is not hammered either.
    var pool = pool(connections: 1)
    _ = pool.retire(1, at: start, random: 1)
    #expect(pool.demand(pushes: 1, at: start) == nil)
  }

  @Test func theIdleOneIsClosedAndTheBusyOneIsNot() {
    var pool = pool(connections: 2)
    pool.becameBusy(1)
    pool.becameIdle(2, at: at(seconds: 10))
    #expect(pool.wakeAt(isWaiting: false, at: start) == at(seconds: 430))
    #expect(pool.tick(at: at(seconds: 429)).isEmpty)
    #expect(pool.tick(at: at(seconds: 430)) == [.close(2)])
    #expect(pool.tick(at: at(seconds: 4300)).isEmpty)
    pool.becameIdle(1, at: at(seconds: 5000))
    #expect(pool.tick(at: at(seconds: 5420)) == [.close(1)])
  }

  @Test func whatIsRetiredTogetherIsNoFailure() {
    var pool = pool(connections: 3)
    #expect(pool.retireAll() == [.drain(1), .drain(2), .drain(3)])
    #expect(pool.demand(pushes: 1, at: start) == .connect(4))
  }

  @Test func pushesAreGivenBackWhenNothingAnswersForTenSeconds() {
    var pool = PoolState()
    _ = pool.demand(pushes: 1, at: start)
    pool.connectFailed(1, at: start, random: 0)
    #expect(!pool.givesUp(waitingSince: start, at: at(seconds: 9)))
    #expect(pool.givesUp(waitingSince: start, at: at(seconds: 10)))
    // One that came later waits as long.
    #expect(!pool.givesUp(waitingSince: at(seconds: 5), at: at(seconds: 10)))
  }

  @Test func connectingAloneIsNoSuccess() {
    var pool = PoolState()
    _ = pool.demand(pushes: 1, at: start)
    pool.connected(1, at: at(seconds: 5))
    #expect(pool.givesUp(waitingSince: start, at: at(seconds: 10)))
    pool.proved(1)
    #expect(!pool.givesUp(waitingSince: start, at: at(seconds: 10)))
  }

  @Test func aPoolThatServedGivesALostConnectionItsTime() {
    var pool = pool(connections: 1)
    pool.closed(1, at: at(seconds: 100), random: 0)
    _ = pool.demand(pushes: 1, at: at(seconds: 100))
    #expect(!pool.givesUp(waitingSince: start, at: at(seconds: 109)))
    #expect(pool.givesUp(waitingSince: start, at: at(seconds: 110)))
  }
}

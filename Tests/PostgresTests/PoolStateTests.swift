@testable import Postgres
import Testing

/// The bookkeeping alone: connections are numbers, and nothing waits.
@Suite struct PoolStateTests {
  private func state(_ connections: Int = 2, waiters: Int = 10) -> PoolState<Int> {
    PoolState(maximumConnections: connections, maximumWaiters: waiters)
  }

  @Test func theFirstCallerWaitsAndOneConnectionIsOpenedForIt() {
    var state = state()
    #expect(state.demand(by: 1).isWait)
    #expect(state.startOpening())
    #expect(!state.startOpening())
    #expect(state.opened(7).handed == Pair(7, 1))
  }

  @Test func asManyAreOpenedAsWaitUpToTheBound() {
    var state = state(2)
    for waiter in 1...5 { #expect(state.demand(by: UInt64(waiter)).isWait) }
    #expect(state.startOpening())
    #expect(state.startOpening())
    #expect(!state.startOpening())
  }

  @Test func theMostRecentlyUsedIdleConnectionIsGiven() {
    var state = state()
    _ = state.demand(by: 1)
    _ = state.demand(by: 2)
    _ = state.startOpening()
    _ = state.startOpening()
    _ = state.opened(7)
    _ = state.opened(8)
    _ = state.giveBack(7, isUsable: true)
    _ = state.giveBack(8, isUsable: true)
    #expect(state.demand(by: 3).leased == 8)
  }

  @Test func aReturnedConnectionGoesToTheLongestWaiting() {
    var state = state(1)
    _ = state.demand(by: 1)
    _ = state.startOpening()
    _ = state.opened(7)
    _ = state.demand(by: 2)
    _ = state.demand(by: 3)
    #expect(state.giveBack(7, isUsable: true).handed == Pair(7, 2))
    #expect(state.giveBack(7, isUsable: true).handed == Pair(7, 3))
    #expect(state.giveBack(7, isUsable: true).isKept)
  }

  @Test func aBrokenConnectionMakesRoomForAnother() {
    var state = state(1)
    _ = state.demand(by: 1)
    _ = state.startOpening()
    _ = state.opened(7)
    _ = state.demand(by: 2)
    #expect(!state.startOpening())
    #expect(state.giveBack(7, isUsable: false).discarded == 7)
    #expect(state.startOpening())
  }

  @Test func whoGaveUpIsNotServed() {
    var state = state(1)
    _ = state.demand(by: 1)
    _ = state.startOpening()
    #expect(state.abandon(1))
    #expect(!state.abandon(1))
    #expect(state.opened(7).isKept)
  }

  @Test func whileTheServerIsAwayOneOpenerGoesOn() {
    var state = state(3)
    for waiter in 1...3 {
      _ = state.demand(by: UInt64(waiter))
      #expect(state.startOpening())
    }
    #expect(state.openFailed() == .end)
    #expect(state.openFailed() == .end)
    #expect(state.openFailed() == .goOn)
    #expect(!state.startOpening())
    #expect(state.opened(7).handed == Pair(7, 1))
    #expect(state.startOpening())
    #expect(state.startOpening())
  }

  @Test func anOpenerEndsWhenNobodyWaitsAnyMore() {
    var state = state()
    _ = state.demand(by: 1)
    _ = state.startOpening()
    _ = state.abandon(1)
    #expect(state.openFailed() == .end)
    #expect(state.opening == 0)
  }

  @Test func aFullQueueRefuses() {
    var state = state(1, waiters: 1)
    _ = state.demand(by: 1)
    #expect(state.demand(by: 2).refusal == .poolExhausted)
  }

  @Test func aClosedPoolGivesAndKeepsNothing() {
    var state = state(2)
    _ = state.demand(by: 1)
    _ = state.startOpening()
    _ = state.opened(7)
    _ = state.demand(by: 2)
    _ = state.startOpening()
    let closed = state.close()
    #expect(closed.idle == [] && closed.waiters == [2])
    #expect(state.demand(by: 3).refusal == .closed)
    #expect(!state.isDrained)
    #expect(state.opened(8).discarded == 8)
    #expect(state.giveBack(7, isUsable: true).discarded == 7)
    #expect(state.isDrained)
  }
}

struct Pair: Equatable {
  let connection: Int
  let waiter: UInt64

  init(_ connection: Int, _ waiter: UInt64) {
    self.connection = connection
    self.waiter = waiter
  }
}

extension PoolState<Int>.Demand {
  var isWait: Bool { if case .wait = self { true } else { false } }
  var leased: Int? { if case .lease(let connection) = self { connection } else { nil } }
  var refusal: PostgresError.Code? { if case .refuse(let code) = self { code } else { nil } }
}

extension PoolState<Int>.Return {
  var isKept: Bool { if case .keep = self { true } else { false } }
  var handed: Pair? { if case .hand(let connection, let waiter) = self { Pair(connection, waiter) } else { nil } }
  var discarded: Int? { if case .discard(let connection) = self { connection } else { nil } }
}

import PushCore
import Testing
import Transport

@testable import APNs

/// The rules of renewal, proved by moving a clock.
@Suite struct ProviderTokenStateTests {
  private let start = MonotonicTime(nanoseconds: 1_000_000_000_000)

  private func token(_ text: String, age: Int64 = 0) -> ProviderToken {
    ProviderToken(text: Array(text.utf8), issuedAt: Fixture.now, age: Seconds(age))
  }

  private func at(minutes: Int64) -> MonotonicTime { start + .seconds(minutes * 60) }

  private func holding(_ text: String, age: Int64 = 0) -> ProviderTokenState {
    var state = ProviderTokenState()
    _ = state.order(at: start)
    state.fetched(token(text, age: age), at: start)
    return state
  }

  private func text(_ state: ProviderTokenState, at time: MonotonicTime) -> String? {
    state.usable(at: time).map { String(decoding: $0.text, as: UTF8.self) }
  }

  private let renewal = ProviderTokenState.Order.fetch(maximumAge: Seconds(40 * 60), mayMint: true)

  @Test func aColdStartFetchesOnceForEverybody() {
    var state = ProviderTokenState()
    #expect(state.usable(at: start) == nil)
    #expect(state.order(at: start) == renewal)
    for _ in 0..<200 { #expect(state.order(at: start) == .none) }
    state.fetched(token("a"), at: start)
    #expect(text(state, at: start) == "a")
    #expect(state.order(at: start) == .none)
  }

  @Test func aTokenIsRenewedAfterFortyMinutesAndUsedMeanwhile() {
    var state = holding("a")
    #expect(state.order(at: at(minutes: 39)) == .none)
    #expect(state.order(at: at(minutes: 40)) == renewal)
    #expect(text(state, at: at(minutes: 41)) == "a")
    state.fetched(token("b"), at: at(minutes: 41))
    #expect(text(state, at: at(minutes: 41)) == "b")
  }

  @Test func theAgeThatTheStoreToldCounts() {
    var state = holding("a", age: 30 * 60)
    #expect(state.order(at: at(minutes: 9)) == .none)
    #expect(state.order(at: at(minutes: 10)) == renewal)
    #expect(text(state, at: at(minutes: 24)) == "a")
    #expect(text(state, at: at(minutes: 25)) == nil)
  }

  @Test(arguments: [61, 24 * 60, 10 * 24 * 60] as [Int64])
  func afterALongPauseNothingOldIsSent(minutes: Int64) {
    var state = holding("a")
    #expect(state.usable(at: at(minutes: minutes)) == nil)
    #expect(state.order(at: at(minutes: minutes)) == renewal)
  }

  @Test func aStoreThatFailsIsAskedAgainMoreAndMoreSlowly() {
    var state = ProviderTokenState()
    #expect(state.order(at: start) == renewal)
    state.fetchFailed(at: start, random: 1)
    #expect(state.order(at: start) == .none)
    #expect(state.order(at: start + .seconds(1)) == renewal)
    state.fetchFailed(at: start + .seconds(1), random: 1)
    #expect(state.order(at: start + .seconds(2)) == .none)
    #expect(state.order(at: start + .seconds(3)) == renewal)
  }

  @Test func aFailedRenewalLeavesTheTokenInUse() {
    var state = holding("a")
    _ = state.order(at: at(minutes: 40))
    let isInVain = state.fetchFailed(at: at(minutes: 40), random: 0)
    #expect(!isInVain)
    #expect(text(state, at: at(minutes: 54)) == "a")
    #expect(text(state, at: at(minutes: 55)) == nil)
  }

  // MARK: ExpiredProviderToken

  @Test func anExpiredTokenIsRenewedOnceForAll() {
    var state = holding("a")
    let now = at(minutes: 25)
    for _ in 0..<100 { #expect(state.expired(generation: 1, at: now) == .renewing) }
    #expect(state.usable(at: now) == nil)
    #expect(state.order(at: now) == .fetch(maximumAge: Seconds(20 * 60), mayMint: true))
    #expect(state.order(at: now) == .none)
    let isInVain = state.fetched(token("b"), at: now)
    #expect(!isInVain)
    // A late answer to the old one starts nothing.
    #expect(state.expired(generation: 1, at: now) == .renewed)
    #expect(text(state, at: now) == "b")
  }

  @Test func aRenewalThatBringsNothingNewIsNotRepeatedAtOnce() {
    var state = holding("a")
    let now = at(minutes: 5)
    #expect(state.expired(generation: 1, at: now) == .renewing)
    _ = state.order(at: now)
    let isInVain = state.fetched(token("a", age: 300), at: now)
    #expect(isInVain)
    #expect(state.expired(generation: 1, at: now) == .hopeless)
    #expect(state.order(at: now) == .none)
    #expect(state.expired(generation: 1, at: now + .seconds(61)) == .renewing)
  }

  @Test func aRenewalThatFailsIsTheEndForThoseWhoWait() {
    var state = holding("a")
    let now = at(minutes: 25)
    _ = state.expired(generation: 1, at: now)
    _ = state.order(at: now)
    let isInVain = state.fetchFailed(at: now, random: 0)
    #expect(isInVain)
    #expect(state.expired(generation: 1, at: now) == .hopeless)
  }

  // MARK: TooManyProviderTokenUpdates

  @Test func afterTooManyUpdatesTheOlderTokenIsUsedAndNoneIsMade() {
    var state = holding("a")
    _ = state.order(at: at(minutes: 40))
    state.fetched(token("b"), at: at(minutes: 40))
    state.updatedTooOften(generation: 2, at: at(minutes: 41))
    #expect(text(state, at: at(minutes: 41)) == "a")
    #expect(state.order(at: at(minutes: 45)) == .fetch(maximumAge: Seconds(40 * 60), mayMint: false))
    state.fetchFailed(at: at(minutes: 45), random: 0)
    #expect(state.order(at: at(minutes: 62)) == renewal)
  }

  @Test func withoutAnOlderTokenTheOneAtHandIsKept() {
    var state = holding("a")
    state.updatedTooOften(generation: 1, at: at(minutes: 1))
    #expect(text(state, at: at(minutes: 1)) == "a")
  }
}

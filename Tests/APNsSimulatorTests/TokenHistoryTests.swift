import Testing

@testable import APNsSimulator

@Suite("Rate of provider token updates")
struct TokenHistoryTests {
  private let interval: Int64 = 20 * 60 * 1000

  @Test("a second new token within twenty minutes is refused, the first stays good, and later the second is taken")
  func secondToken() {
    var history = TokenHistory()
    #expect(history.admit([1], now: 0, interval: interval))
    #expect(!history.admit([2], now: interval - 1, interval: interval))
    #expect(history.admit([1], now: interval - 1, interval: interval))
    #expect(history.admit([2], now: interval, interval: interval))
    #expect(history.admit([1], now: interval, interval: interval))
    #expect(!history.admit([3], now: interval + 1, interval: interval))
  }
}

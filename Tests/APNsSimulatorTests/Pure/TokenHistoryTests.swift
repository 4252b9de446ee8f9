import Testing

@testable import APNsSimulator

@Suite("Rate of provider token updates")
struct TokenHistoryTests {
  private let interval: Int64 = 20 * 60 * 1000

  @Test("a second new token within twenty minutes is refused, the first stays good, and later the second is taken")
  func secondToken() {
    var history = TokenHistory()
    let uses: [(token: UInt8, at: Int64, isAdmitted: Bool)] = [
      (1, 0, true), (2, interval - 1, false), (1, interval - 1, true), (2, interval, true), (1, interval, true),
      (3, interval + 1, false),
    ]
    for use in uses {
      let isAdmitted = history.admit([use.token], now: use.at, interval: interval)
      #expect(isAdmitted == use.isAdmitted, "token \(use.token) at \(use.at)")
    }
  }
}

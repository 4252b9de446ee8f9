import Testing

@testable import APNsSimulator

@Suite("Records")
struct RecordTests {
  private func request(_ number: UInt64, bytes: Int = 10) -> RecordedRequest {
    RecordedRequest(
      number: number, connection: 1, stream: 1, headers: [HeaderLine(":path", "/3/device/abcd")],
      body: Array(repeating: 0, count: bytes), receivedAt: 0, outcome: .ignored)
  }

  @Test("the log drops its oldest beyond its number and pages by number")
  func count() {
    var log = RequestLog(limits: .init(requests: 1000))
    for number in 1...5000 { log.append(request(UInt64(number))) }
    #expect(log.count == 1000)
    #expect(log.page(after: 0, limit: 2).map(\.number) == [4001, 4002])
    #expect(log.page(after: 4500, limit: 1).map(\.number) == [4501])
    #expect(log.page(after: 5000, limit: 1).isEmpty)
  }

  @Test("the log drops its oldest beyond its bytes")
  func bytes() {
    var log = RequestLog(limits: .init(requests: 1000, bytes: 10_000))
    for number in 1...10 { log.append(request(UInt64(number), bytes: 4000)) }
    #expect(log.page(after: 0, limit: 10).map(\.number) == [9, 10])
  }

  @Test("a log that is off keeps nothing")
  func off() {
    var log = RequestLog(limits: .off)
    log.append(request(1))
    #expect(log.count == 0)
  }

  @Test("the device token is read from the path")
  func deviceToken() { #expect(request(1).deviceToken == "abcd") }

  private func push(_ id: String, collapse: String? = nil, expiration: Int64? = nil) -> DeliveredPush {
    var fields = PushFields()
    fields.bundleID = "b"
    fields.collapseID = collapse.map { Array($0.utf8) }
    fields.expiration = expiration
    return DeliveredPush(fields, messageID: Array(id.utf8), payload: [], at: 1_000_000)
  }

  @Test("a collapse id replaces what the phone shows; others are listed one after the other")
  func collapse() {
    var screens = PhoneScreens()
    screens.show(push("1", collapse: "x"), on: [1])
    screens.show(push("2"), on: [1])
    screens.show(push("3", collapse: "x"), on: [1])
    #expect(screens.screen(of: [1]).map(\.messageID) == ["2", "3"])
    #expect(screens.screen(of: [1]).last?.replaced == 1)
    #expect(screens.screen(of: [2]).isEmpty)
  }

  @Test("one push is stored per app: the last that has not expired; expiration 0 is never stored")
  func slot() {
    var screens = PhoneScreens()
    screens.show(push("1"), on: [1])
    screens.show(push("2", expiration: 2000), on: [1])
    screens.show(push("3", expiration: 0), on: [1])
    #expect(screens.stored(for: [1], bundleID: "b", now: 1500)?.messageID == "2")
    #expect(screens.stored(for: [1], bundleID: "b", now: 2000)?.messageID == "1")
    #expect(screens.stored(for: [1], bundleID: "b", now: 1000 + 30 * 86_400) == nil)
    #expect(screens.stored(for: [1], bundleID: "other", now: 1500) == nil)
  }

  @Test("screens are bounded in pushes and in tokens")
  func bounds() {
    var screens = PhoneScreens(maximumTokens: 2, maximumPushes: 3)
    for id in 1...5 { screens.show(push("\(id)"), on: [1]) }
    screens.show(push("x"), on: [2])
    screens.show(push("y"), on: [3])
    #expect(screens.screen(of: [1]).map(\.messageID) == ["3", "4", "5"])
    #expect(screens.screen(of: [2]).count == 1)
    #expect(screens.screen(of: [3]).isEmpty)
  }
}

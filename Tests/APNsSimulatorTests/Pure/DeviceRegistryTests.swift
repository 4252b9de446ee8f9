import Testing

@testable import APNsSimulator

@Suite("Device tokens")
struct DeviceRegistryTests {
  private let token = Array("ab01".utf8)

  @Test("a token of the other environment is bad, a known one must be the topic's, an unknown one depends")
  func known() throws {
    var here = DeviceRegistry()
    var there = DeviceRegistry()
    try here.check(token, bundleID: "b", elsewhere: there)
    there.set(token, bundleID: "b")
    #expect(throws: Refusal(.badDeviceToken)) { try here.check(token, bundleID: "b", elsewhere: there) }
    try there.check(token, bundleID: "b", elsewhere: here)
    #expect(throws: Refusal(.deviceTokenNotForTopic)) { try there.check(token, bundleID: "c", elsewhere: here) }
    here.unknownTokens = .refused
    #expect(throws: Refusal(.badDeviceToken)) { try here.check([1, 2], bundleID: "b", elsewhere: here) }
  }

  @Test("a retired token answers 410 with the time of its end")
  func retired() {
    var here = DeviceRegistry()
    here.set(token, bundleID: "b", state: .unregistered(since: 5))
    #expect(throws: Refusal(.unregistered, timestamp: 5)) { try here.check(token, bundleID: "b", elsewhere: here) }
    here.retireAll(as: .expired(since: 7))
    #expect(throws: Refusal(.expiredToken, timestamp: 7)) { try here.check(token, bundleID: "b", elsewhere: here) }
  }

  @Test("the token of zeros, with which senders probe a credential, is nobody's")
  func zeros() {
    let here = DeviceRegistry()
    let zeros = Array(repeating: UInt8(ascii: "0"), count: 64)
    #expect(throws: Refusal(.badDeviceToken)) { try here.check(zeros, bundleID: "b", elsewhere: here) }
  }
}

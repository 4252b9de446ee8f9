import Testing

@testable import APNsSimulator

@Suite("Refusals")
struct RefusalTests {
  @Test("bodies are compact, reason first, timestamp in milliseconds")
  func bodies() {
    #expect(Refusal(.badDeviceToken).body == Array(#"{"reason":"BadDeviceToken"}"#.utf8))
    #expect(
      Refusal(.unregistered, timestamp: 1_764_626_400_123).body
        == Array(#"{"reason":"Unregistered","timestamp":1764626400123}"#.utf8))
  }

  @Test("every reason has a status that Apple documents, and a scripted token that brings it about")
  func reasons() throws {
    for reason in RefusalReason.allCases {
      #expect([400, 403, 404, 405, 410, 413, 429, 500, 503].contains(reason.status))
      let token = try #require(ScriptedTokens.token(refusedWith: reason, serial: 0x1f))
      #expect(token.utf8.count == 64)
      guard case .refuse(let scripted, _) = ScriptedTokens.script(for: Array(token.utf8)) else {
        Issue.record("\(reason) is not scripted")
        continue
      }
      #expect(scripted == reason)
    }
  }

  @Test("a code must be said twice")
  func codes() {
    #expect(ScriptedTokens.script(for: Array("dead0000".utf8)) == nil)
    #expect(ScriptedTokens.script(for: Array("dead".utf8)) == nil)
    #expect(ScriptedTokens.script(for: Array("deaddead00".utf8)) == .refuse(.unregistered, age: .now))
  }

  @Test("generated ids are upper-case UUIDs and differ")
  func generatedIDs() {
    let ids = (0..<100).map { _ in MessageID.random() }
    #expect(Set(ids).count == 100)
    for id in ids {
      #expect(MessageID.isValid(id))
      #expect(!id.contains { $0 >= UInt8(ascii: "a") && $0 <= UInt8(ascii: "f") })
    }
  }
}

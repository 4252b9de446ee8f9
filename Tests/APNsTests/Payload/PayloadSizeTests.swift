import PushCore
import Testing

@testable import APNs

/// Apple's limit is on the bytes sent: 4 096, whatever characters they make.
@Suite struct PayloadSizeTests {
  /// A content whose payload has exactly `bytes` bytes, most of them repetitions of `unit`.
  private func content(bytes: Int, of unit: String, locale: String? = nil) throws -> MessageContent {
    let empty = try PayloadTemplate(MessageContent(), text: LocalizedText(title: "")).count
    let room = bytes - empty
    let count = room / unit.utf8.count
    let text = String(repeating: unit, count: count) + String(repeating: "a", count: room - count * unit.utf8.count)
    return Fixture.content {
      if let locale { $0.localizations[locale] = LocalizedText(title: text) } else { $0.text.title = text }
    }
  }

  // ASCII, CJK (3 bytes), a family of four (25 bytes, 7 scalars), and what careless writers escape.
  @Test(arguments: ["a", "語", "👨‍👩‍👧‍👦", "/", "é"])
  func theLimitCountsBytesAsSent(unit: String) throws {
    for bytes in [4095, 4096] {
      let content = try content(bytes: bytes, of: unit)
      #expect(DraftRules.problems(in: content).isEmpty)
      #expect(try Fixture.payload(content).utf8.count == bytes)
    }
    let problem = try #require(DraftRules.problems(in: content(bytes: 4097, of: unit)).first)
    #expect(problem.code == "payload_too_large")
    #expect(problem.detail.contains("4097") && problem.detail.contains("4096"))
  }

  @Test func whatIsEscapedCountsAsWritten() throws {
    // Each quotation mark is two bytes.
    let content = Fixture.content { $0.text.title = String(repeating: "\"", count: 2048) }
    #expect(DraftRules.problems(in: content).map(\.code) == ["payload_too_large"])
  }

  @Test func theLargestLocalizationDecides() throws {
    var content = try content(bytes: 4097, of: "a", locale: "pt-BR")
    content.text.title = "Hello"
    let problem = try #require(DraftRules.problems(in: content).first)
    #expect(problem.pointer == "/localizations/pt-BR")
    #expect(problem.detail.contains("pt-BR"))
  }

  @Test func aVariableCountsWithItsValue() {
    let content = Fixture.content {
      $0.text.title = "{{long}}"
      $0.variables = ["long": String(repeating: "a", count: 5000)]
    }
    #expect(DraftRules.problems(in: content).map(\.code) == ["payload_too_large"])
  }
}

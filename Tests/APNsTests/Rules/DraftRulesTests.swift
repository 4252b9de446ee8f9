import PushCore
import Testing

@testable import APNs

@Suite struct DraftRulesTests {
  private func problems(_ change: (inout MessageContent) -> Void) -> [String] {
    DraftRules.problems(in: Fixture.content(change)).map { "\($0.pointer) \($0.code)" }
  }

  // MARK: Push type

  @Test(arguments: [
    (title: true, wake: false, type: PushType?.some(.alert)), (true, true, .alert), (false, true, .background),
    (false, false, nil),
  ])
  func theTypeIsDerivedFromTheContent(title: Bool, wake: Bool, type: PushType?) {
    let content = Fixture.content {
      if title { $0.text.title = "Hello" }
      if wake { $0.apns.contentAvailable = true }
    }
    #expect(ContentShape(content).derivedType == type)
  }

  @Test func aBadgeOrASoundAloneIsAnAlert() {
    #expect(ContentShape(Fixture.content { $0.badge = 0 }).derivedType == .alert)
    #expect(ContentShape(Fixture.content { $0.sound = .named("default") }).derivedType == .alert)
    #expect(ContentShape(Fixture.content { $0.apns.locKey = "GREETING" }).derivedType == .alert)
    #expect(
      ContentShape(Fixture.content { $0.localizations = ["fr": LocalizedText(body: "Salut")] }).derivedType == .alert)
  }

  @Test func aMessageWithNothingInItIsRefused() {
    #expect(problems { _ in } == [" nothing_to_send"])
    #expect(problems { $0.data = [JSONMember(name: "order", value: Fixture.json("1"))] } == [" nothing_to_send"])
  }

  @Test func aBackgroundPushHasNothingVisible() {
    let found = problems {
      $0.apns.pushType = .background
      $0.text.body = "Hello"
      $0.badge = 1
      $0.sound = .named("default")
      $0.imageURL = "https://example.com/a.png"
    }
    #expect(
      found == ["/body contradiction", "/badge contradiction", "/sound contradiction", "/image_url contradiction"])
  }

  @Test func anExplicitAlertShowsSomething() {
    let found = problems {
      $0.apns.pushType = .alert
      $0.apns.contentAvailable = true
    }
    #expect(found == ["/apns/push_type contradiction"])
  }

  @Test func aBackgroundPushCannotRefuseToWakeTheApp() {
    let found = problems {
      $0.apns.pushType = .background
      $0.apns.contentAvailable = false
    }
    #expect(found == ["/apns/content_available contradiction"])
  }

  @Test func anAlertMayAlsoWakeTheApp() {
    let found = problems {
      $0.text.title = "Hello"
      $0.apns.contentAvailable = true
    }
    #expect(found.isEmpty)
  }

  // MARK: Priority

  @Test(arguments: [1, 5, 10]) func anAlertHasThreePriorities(priority: Int) {
    let found = problems {
      $0.text.title = "Hello"
      $0.apns.priority = priority
    }
    #expect(found.isEmpty)
  }

  @Test(arguments: [0, 7, -1, 100]) func otherPrioritiesAreRefused(priority: Int) {
    let found = problems {
      $0.text.title = "Hello"
      $0.apns.priority = priority
    }
    #expect(found == ["/apns/priority not_allowed"])
  }

  @Test(arguments: [1, 10]) func aBackgroundPushHasPriorityFiveOnly(priority: Int) {
    let found = problems {
      $0.apns.contentAvailable = true
      $0.apns.priority = priority
    }
    #expect(found == ["/apns/priority contradiction"])
  }

  // MARK: Collapse id

  @Test(arguments: [
    (String(repeating: "a", count: 64), [String]()),
    (String(repeating: "a", count: 65), ["/apns/collapse_id too_long"]),
    // 22 characters of 3 bytes.
    (String(repeating: "語", count: 22), ["/apns/collapse_id too_long"]), (String(repeating: "語", count: 21), []),
    ("", []), (" order", ["/apns/collapse_id invalid_characters"]), ("a\nb", ["/apns/collapse_id invalid_characters"]),
  ])
  func aCollapseIDIsMeasuredInBytes(id: String, expected: [String]) {
    let found = problems {
      $0.text.title = "Hello"
      $0.apns.collapseID = .named(id)
    }
    #expect(found == expected)
  }

  // MARK: Values

  @Test(arguments: ["0", "1", "0.50", "5e-1"]) func aRelevanceScoreIsAFraction(score: String) {
    let found = problems {
      $0.text.title = "Hello"
      $0.apns.relevanceScore = Fixture.json(score)
    }
    #expect(found.isEmpty)
  }

  @Test(arguments: ["1.01", "-0.1", "nan", "true", "\"1\"", "0x1p-1"]) func anythingElseIsNone(score: String) {
    let found = problems {
      $0.text.title = "Hello"
      $0.apns.relevanceScore = Fixture.json(score)
    }
    #expect(found == ["/apns/relevance_score out_of_range"])
  }

  @Test func manyFaultsAreReportedTogether() {
    let found = problems {
      $0.badge = -1
      $0.sound = .critical(name: "", volume: Fixture.json("2"))
      $0.apns.interruptionLevel = "loud"
      $0.apns.locArgs = ["a"]
      $0.url = ""
    }
    #expect(
      Set(found) == [
        "/badge out_of_range", "/sound/name empty", "/sound/volume out_of_range",
        "/apns/interruption_level not_allowed", "/apns/loc_args contradiction", "/url empty",
      ])
  }

  // MARK: Members

  @Test func dataCannotHoldWhatThePayloadHolds() {
    let found = problems {
      $0.text.title = "Hello"
      $0.data = ["aps", "delivery_id", "image_url", "url", "a/b~c", "a/b~c"].map {
        JSONMember(name: $0, value: Fixture.json("1"))
      }
    }
    #expect(
      found == [
        "/data/aps reserved", "/data/delivery_id reserved", "/data/image_url reserved", "/data/url reserved",
        "/data/a~1b~0c duplicate",
      ])
  }

  @Test func furtherMembersOfAPSRepeatNoKnownOne() {
    let found = problems {
      $0.text.title = "Hello"
      $0.apns.aps = [
        JSONMember(name: "alert", value: Fixture.json("\"x\"")),
        JSONMember(name: "event", value: Fixture.json("\"x\"")),
      ]
    }
    #expect(found == ["/apns/aps/alert reserved"])
  }

  // MARK: Texts

  @Test func everyVariableHasAValue() {
    let found = problems {
      $0.text.title = "Hello {{name}}"
      $0.text.body = "Broken {{name"
      $0.localizations = ["fr": LocalizedText(title: "Salut {{ nom }}"), "FR": LocalizedText(), "x/": LocalizedText()]
      $0.variables = ["name": "Ada"]
    }
    #expect(
      found == [
        "/body unclosed_variable", "/localizations/fr duplicate", "/localizations/fr/title unknown_variable",
        "/localizations/x~1 invalid_locale",
      ])
  }
}

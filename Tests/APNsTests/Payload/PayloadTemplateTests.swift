import PushCore
import Testing

@testable import APNs

@Suite struct PayloadTemplateTests {
  private let delivery = DeliveryID(message: Fixture.message, proof: 1).description

  @Test func aTextMakesAnAlertAndTheDeliveryIDComesAfterIt() throws {
    let content = Fixture.content { $0.text = LocalizedText(title: "Hello", subtitle: "you", body: "there") }
    #expect(
      try Fixture.payload(content)
        == #"{"aps":{"alert":{"title":"Hello","subtitle":"you","body":"there"}},"delivery_id":"\#(delivery)"}"#)
  }

  @Test func everyFieldHasItsPlace() throws {
    let content = Fixture.content {
      $0.text.title = "T"
      $0.badge = 0
      $0.sound = .critical(name: "alarm.caf", volume: Fixture.json("0.70"))
      $0.category = "ORDER"
      $0.imageURL = "https://example.com/a.png"
      $0.url = "shop://orders/1"
      $0.data = [JSONMember(name: "order", value: Fixture.json(#"{"n":1.0}"#))]
      $0.apns.threadID = "t"
      $0.apns.interruptionLevel = "critical"
      $0.apns.relevanceScore = Fixture.json("0.50")
      $0.apns.targetContentID = "w"
      $0.apns.filterCriteria = "f"
      $0.apns.contentAvailable = true
      $0.apns.titleLocKey = "TK"
      $0.apns.titleLocArgs = ["a", "b"]
      $0.apns.launchImage = "l"
      $0.apns.aps = [JSONMember(name: "new-key", value: Fixture.json("[1]"))]
    }
    #expect(
      try Fixture.payload(content)
        == #"{"aps":{"alert":{"title":"T","title-loc-key":"TK","title-loc-args":["a","b"],"launch-image":"l"},"badge":0,"#
        + #""sound":{"critical":1,"name":"alarm.caf","volume":0.70},"thread-id":"t","category":"ORDER","#
        + #""content-available":1,"mutable-content":1,"target-content-id":"w","interruption-level":"critical","#
        + #""relevance-score":0.50,"filter-criteria":"f","new-key":[1]},"delivery_id":"\#(delivery)","#
        + #""image_url":"https://example.com/a.png","url":"shop://orders/1","order":{"n":1.0}}"#)
  }

  @Test func anImageAsksForTheExtensionUnlessTheSenderSaysOtherwise() throws {
    let refused = Fixture.content {
      $0.text.title = "T"
      $0.imageURL = "https://example.com/a.png"
      $0.apns.mutableContent = false
    }
    #expect(try !Fixture.payload(refused).contains("mutable-content"))
  }

  @Test func aBackgroundPushWakesTheApp() throws {
    let content = Fixture.content { $0.apns.pushType = .background }
    #expect(try Fixture.payload(content) == #"{"aps":{"content-available":1},"delivery_id":"\#(delivery)"}"#)
  }

  @Test func dataKeepsTypesDigitsAndOrder() throws {
    let value = #"{"n":null,"f":false,"z":0,"l":[],"o":{"d":1.0,"t":true},"big":12345678901234567890.10}"#
    let content = Fixture.content {
      $0.text.title = "T"
      $0.data = [
        JSONMember(name: "zz", value: Fixture.json(value)), JSONMember(name: "aa", value: Fixture.json("null")),
      ]
    }
    #expect(try Fixture.payload(content).hasSuffix(#""zz":\#(value),"aa":null}"#))
  }

  @Test func onlyWhatMustBeEscapedIs() throws {
    let content = Fixture.content { $0.text.title = "\"\\/\n\u{1}é語" }
    #expect(try Fixture.payload(content).contains(#""title":"\"\\/\n\u0001é語""#))
  }

  @Test func aVariableIsTextAndNothingElse() throws {
    let content = Fixture.content {
      $0.text.title = "Hi {{ name }}, {{twice}}{{twice}} {single}"
      $0.variables = ["name": #"","badge":9,"x":""#, "twice": "{{name}}"]
    }
    #expect(
      try Fixture.payload(content).contains(#""title":"Hi \",\"badge\":9,\"x\":\", {{name}}{{name}} {single}""#))
  }

  @Test func aPartThatALocalizationLeavesOutIsTheMessagesOwn() {
    let content = Fixture.content {
      $0.text = LocalizedText(title: "Hello", body: "there")
      $0.localizations = ["fr": LocalizedText(title: "Salut")]
    }
    #expect(content.text(in: "fr") == LocalizedText(title: "Salut", body: "there"))
  }

  @Test(arguments: [
    ("fr", "Salut"), ("fr-BE", "Salut"), ("fr-CA", "Allô"), ("FR_ca", "Allô"), ("fr-CA-x-test", "Allô"),
    ("fra", "Hello"), ("f", "Hello"), ("de", "Hello"), (nil, "Hello"), ("", "Hello"),
  ])
  func theLongestMatchingTagIsUsed(locale: String?, title: String) throws {
    let content = Fixture.content {
      $0.text.title = "Hello"
      $0.localizations = ["fr": LocalizedText(title: "Salut"), "fr-CA": LocalizedText(title: "Allô")]
    }
    let push = try CompiledPush(Fixture.message(content))
    #expect(Fixture.render(push.payload(for: locale)).contains(#""title":"\#(title)""#))
  }
}

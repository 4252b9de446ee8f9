import PushCore
import Testing

@testable import PushStore

@Suite struct ContentCodecTests {
  private func json(_ text: String) -> JSONText { JSONText(checked: Array(text.utf8)) }

  @Test func everythingComesBackAsItWas() throws {
    var content = MessageContent()
    content.text = LocalizedText(title: "T \u{0301}\"\\\n", subtitle: "", body: "👨‍👩‍👧‍👦")
    content.imageURL = "https://example.com/a.png"
    content.url = "shop://orders/1"
    content.data = [
      JSONMember(name: "z", value: json(#"{"b":1.0,"a":[1e400,12345678901234567890,-0.10]}"#)),
      JSONMember(name: "a", value: json("null")), JSONMember(name: "ä", value: json(#""\u0001""#)),
    ]
    content.badge = 0
    content.sound = .critical(name: "alarm", volume: json("0.50"))
    content.category = "ORDER"
    content.localizations = ["fr": LocalizedText(title: "Bonjour"), "de-CH": LocalizedText(body: "Grüezi")]
    content.variables = ["name": "there", "other": ""]
    content.apns.pushType = .alert
    content.apns.priority = 5
    content.apns.collapseID = .named("c")
    content.apns.threadID = "t"
    content.apns.interruptionLevel = "time-sensitive"
    content.apns.relevanceScore = json("0.5000")
    content.apns.mutableContent = true
    content.apns.contentAvailable = false
    content.apns.targetContentID = "w"
    content.apns.filterCriteria = "f"
    content.apns.titleLocKey = "k"
    content.apns.titleLocArgs = ["1", ""]
    content.apns.subtitleLocKey = "k2"
    content.apns.subtitleLocArgs = ["x"]
    content.apns.locKey = "k3"
    content.apns.locArgs = ["y"]
    content.apns.launchImage = "i"
    content.apns.aps = [JSONMember(name: "new-key", value: json(#"{"q":1}"#))]
    #expect(try ContentCodec.decode(ContentCodec.encode(content)) == content)
  }

  @Test func anEmptyContentComesBackEmpty() throws {
    #expect(try ContentCodec.decode(ContentCodec.encode(MessageContent())) == MessageContent())
  }

  @Test(arguments: [CollapseID.ofMessage, .off, .named("")]) func collapseIDsStayApart(_ id: CollapseID) throws {
    var content = MessageContent()
    content.apns.collapseID = id
    #expect(try ContentCodec.decode(ContentCodec.encode(content)).apns.collapseID == id)
  }

  @Test(arguments: ["", "{", "[]", "{}", #"{"apns":{"push_type":"voip"}}"#])
  func whatThisProgramDidNotWriteIsUnreadable(_ text: String) {
    #expect(throws: StoreError(.unreadable)) { try ContentCodec.decode(Array(text.utf8)) }
  }
}

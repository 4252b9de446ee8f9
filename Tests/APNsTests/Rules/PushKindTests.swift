import PushCore
import Testing

@testable import APNs

@Suite struct PushKindTests {
  /// The topics of apns.md's table of push types.
  @Test(arguments: [
    ("alert", "com.example.shop"), ("background", "com.example.shop"),
    ("location", "com.example.shop.location-query"), ("voip", "com.example.shop.voip"),
    ("complication", "com.example.shop.complication"), ("fileprovider", "com.example.shop.pushkit.fileprovider"),
    ("mdm", nil), ("liveactivity", "com.example.shop.push-type.liveactivity"),
    ("pushtotalk", "com.example.shop.voip-ptt"), ("widgets", "com.example.shop.push-type.widgets"),
    ("controls", "com.example.shop.push-type.controls"),
  ])
  func eachTypeHasItsTopic(name: String, topic: String?) throws {
    let kind = try #require(PushKind.all.first { $0.name == name })
    #expect(kind.topic(forBundleID: "com.example.shop") == topic)
  }

  @Test func aSuffixThatIsThereAlreadyIsNotDoubled() {
    #expect(PushKind.voip.topic(forBundleID: "com.example.shop.voip") == "com.example.shop.voip")
  }

  @Test func thereAreElevenTypes() {
    #expect(Set(PushKind.all.map(\.name)).count == 11)
  }

  @Test func onlyVoIPMayBeLarger() {
    #expect(PushKind.all.filter { $0.payloadLimit == 5120 } == [.voip])
    #expect(PushKind.all.allSatisfy { $0 == .voip || $0.payloadLimit == 4096 })
  }

  @Test(arguments: PushType.allCases)
  func everyTypeOfTheDomainHasARow(type: PushType) {
    #expect(PushKind(type).name == type.rawValue)
  }
}

import Testing

@testable import APNsSimulator

@Suite("Push types and their topics")
struct PushKindTests {
  @Test(
    "each type demands exactly its own suffix",
    arguments: [
      (PushKind.alert, "b"), (.background, "b"), (.mdm, "b"), (.location, "b.location-query"), (.voip, "b.voip"),
      (.complication, "b.complication"), (.fileprovider, "b.pushkit.fileprovider"),
      (.liveactivity, "b.push-type.liveactivity"), (.pushtotalk, "b.voip-ptt"), (.widgets, "b.push-type.widgets"),
      (.controls, "b.push-type.controls"),
    ])
  func suffix(kind: PushKind, topic: String) {
    #expect(kind.bundleID(inTopic: topic) == "b")
    #expect(PushKind.bundleID(inTopic: topic) == "b")
    for other in PushKind.allCases where other.topicSuffix != kind.topicSuffix {
      #expect(other.bundleID(inTopic: topic) == nil)
    }
  }

  @Test("a suffix twice is not the bundle id's topic")
  func doubled() {
    #expect(PushKind.bundleID(inTopic: "b.voip.voip") == "b.voip")
    #expect(PushKind.voip.bundleID(inTopic: ".voip") == nil)
  }
}

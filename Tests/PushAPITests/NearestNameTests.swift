import JSON
import PushCore
import Testing

@testable import PushAPI

/// With the names of the API itself.
@Suite struct NearestNameTests {
  @Test(arguments: [
    ("titel", "title"), ("threadId", "thread_id"), ("thread-id", "thread_id"), ("BODY", "body"),
    ("interuption_level", "interruption_level"), ("send_att", "send_at"), ("idempotencyKey", "idempotency_key"),
  ])
  func aSlipIsUnderstood(_ name: String, _ meant: String) {
    #expect(NearestName.find(name, among: MessageRequest.known + APNsOptions.fields) == meant)
  }

  @Test(arguments: ["", "x", "contents", "include_aliases", String(repeating: "title", count: 100)])
  func aNameThatIsLikeNoneIsNotGuessedAt(_ name: String) {
    #expect(NearestName.find(name, among: MessageRequest.known) == nil)
  }
}

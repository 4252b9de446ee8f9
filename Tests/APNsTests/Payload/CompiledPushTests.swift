import PushCore
import Testing

@testable import APNs

@Suite struct CompiledPushTests {
  @Test func theExpirationIsInWholeSeconds() throws {
    let due = Timestamp(microseconds: Fixture.now.microseconds + 900_000)
    let push = try CompiledPush(Fixture.message(Fixture.content(), dueAt: due, timeToLive: 300))
    #expect(push.expiration == Fixture.now.secondsSinceEpoch + 300)
    #expect(push.expiresAt == due.advanced(bySeconds: 300))
  }

  @Test func noTimeToLiveIsOneAttempt() throws {
    let push = try CompiledPush(Fixture.message(Fixture.content(), timeToLive: 0))
    #expect(push.expiration == 0)
    // Otherwise it would be over before it could be sent.
    #expect(push.expiresAt > Fixture.now)
  }

  @Test(arguments: [
    (CollapseID.ofMessage, String?.some(Fixture.message.description)), (.named("order"), "order"), (.named(""), nil),
    (.off, nil),
  ])
  func theCollapseID(id: CollapseID, expected: String?) throws {
    var content = Fixture.content()
    content.apns.collapseID = id
    #expect(try CompiledPush(Fixture.message(content)).collapseID == expected)
  }

  @Test func prioritiesFollowTheType() throws {
    #expect(try CompiledPush(Fixture.message(Fixture.content())).priority == 10)
    #expect(try CompiledPush(Fixture.message(Fixture.content { $0.apns.contentAvailable = true })).priority == 5)
    #expect(
      try CompiledPush(
        Fixture.message(
          Fixture.content {
            $0.text.title = "T"
            $0.apns.priority = 1
          })
      ).priority == 1)
  }

  @Test func whatTheRulesRefuseDoesNotCompile() {
    #expect(throws: FieldProblems.self) { try CompiledPush(Fixture.message(MessageContent())) }
  }
}

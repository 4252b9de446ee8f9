import PushCore
import Testing

@testable import PushWorker

@Suite struct DeliveryPlanTests {
  private struct Compiled: CompiledMessage {}
  private struct Signer: DeliverySigner {
    func sign(message: MessageID, installation: InstallationID) -> DeliverySignature {
      DeliverySignature(proof: 1, apnsID: installation.value)
    }
  }
  private let now = Timestamp(seconds: 1_764_626_400)

  private func message(ttl: Int64 = 60) -> Message {
    Message(
      id: .make(), app: .make(), content: MessageContent(), lane: .bulk, name: nil, createdAt: now, dueAt: now,
      expiresAt: now.advanced(bySeconds: ttl))
  }

  private func member(
    batch: Int32 = 0, token: DeviceToken? = DeviceToken(stored: [1]), environment: PushEnvironment = .production,
    permission: PermissionState? = .granted, isRetired: Bool = false
  ) -> AudienceMember {
    AudienceMember(
      batch: batch, installation: .make(), token: token, environment: environment, permission: permission, locale: nil,
      userID: nil, registeredAt: now, isRetired: isRetired)
  }

  private func plan(
    _ messages: [Message], _ members: [AudienceMember], missing: [Int: Int] = [:], compiles: Bool = true
  ) -> DeliveryPlan {
    let batches = messages.map {
      ClaimedBatch(lease: BatchLease(batch: .make(), fence: 1), message: $0.id, part: .users([]), attempts: 0)
    }
    let credential = APNsCredential(
      teamID: "T", keyID: "K", bundleID: "b", key: SigningKey(pem: []), fingerprint: "f")
    let claim = Claim(
      credential: credential, batches: batches,
      messages: Dictionary(messages.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first }))
    return DeliveryPlan(
      claim: claim, credential: credential, audience: Audience(members: members, missing: missing), app: .make(),
      signer: Signer(), now: now
    ) { _ in compiles ? Compiled() : nil }
  }

  @Test func pushesAreGroupedByEnvironment() {
    let plan = plan([message()], [member(), member(environment: .development), member()])
    #expect(plan.groups.map(\.pushes.count).sorted() == [1, 2])
    for group in plan.groups { #expect(group.pushes.allSatisfy { $0.member.environment == group.group.environment }) }
  }

  @Test func eachMessageOfAGroupIsCompiledOnceAndNamedByIndex() {
    let plan = plan([message(), message()], [member(batch: 0), member(batch: 1), member(batch: 0)])
    #expect(plan.groups.first?.group.messages.count == 2)
    #expect(plan.groups.first?.group.recipients.map(\.message) == [0, 1, 0])
  }

  @Test func whoCannotBeReachedIsSuppressedWithTheReason() {
    let plan = plan([message()], [member(token: nil), member(permission: .denied), member(isRetired: true)])
    #expect(plan.groups.isEmpty)
    #expect(plan.settled.map(\.state) == [.suppressed, .suppressed, .suppressed])
    #expect(plan.settled.map(\.reason) == [.noToken, .noPermission, .retired])
  }

  @Test func nothingIsSentAfterItsTimeToLive() {
    let plan = plan([message(ttl: 0)], [member()])
    #expect(plan.groups.isEmpty)
    #expect(plan.settled.map(\.state) == [.expired])
  }

  @Test func aMessageThatCannotBeRenderedFails() {
    let plan = plan([message()], [member(), member()], compiles: false)
    #expect(plan.settled.map(\.reason) == [.notRenderable, .notRenderable])
  }

  @Test func peopleWithoutADeviceAreCounted() {
    let plan = plan([message()], [], missing: [0: 3])
    #expect(plan.missing.map(\.count) == [3])
    #expect(plan.missing.map(\.reason) == [.noDevice])
  }
}

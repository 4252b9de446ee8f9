import PushCore
import Testing

@testable import PushWorker

@Suite struct SettlementRulesTests {
  private let now = Timestamp(seconds: 1_764_626_400)
  private let answered = Timestamp(seconds: 1_764_626_399)
  private let sent = Timestamp(seconds: 1_764_626_390)
  private let lease = BatchLease(batch: .make(), fence: 3)

  private func rules(brakeIsOn: Bool = false) -> SettlementRules {
    SettlementRules(
      policy: RetryPolicy(), unsentDelay: Seconds(5), now: now, sentAt: sent, random: 1, brakeIsOn: brakeIsOn)
  }

  private func push(attempts: Int16 = 0, ttl: Int64 = 3600) -> DeliveryPlan.Push {
    let message = Message(
      id: .make(), app: .make(), content: MessageContent(), lane: .bulk, name: nil, createdAt: sent, dueAt: sent,
      expiresAt: now.advanced(bySeconds: ttl))
    let token = DeviceToken(stored: [1, 2])
    let member = AudienceMember(
      batch: 0, installation: .make(), token: token, environment: .production, permission: .granted, locale: nil,
      userID: "u", registeredAt: sent, isRetired: false)
    let batch = ClaimedBatch(lease: lease, message: message.id, part: .users(["u"]), attempts: attempts)
    return DeliveryPlan.Push(batch: batch, message: message, member: member, token: token, apnsID: 7)
  }

  private func outcome(of answer: ProviderAnswer, push: DeliveryPlan.Push, brakeIsOn: Bool = false) -> SettlementRules {
    var rules = rules(brakeIsOn: brakeIsOn)
    rules.apply(SendResult(recipient: 0, answer: answer, answeredAt: answered), to: push)
    return rules
  }

  @Test func acceptedIsFinalAndProvesTheCredential() {
    let push = push()
    let settlement = outcome(of: .accepted, push: push).finish()
    #expect(settlement.deliveries.map(\.state) == [.accepted])
    #expect(settlement.deliveries.map(\.attempts) == [1])
    #expect(settlement.deliveries.map(\.apnsID) == [7])
    #expect(settlement.credentialAccepted)
  }

  @Test func aDeadTokenFailsAndIsRetiredUnlessRegisteredSinceSending() {
    let settlement = outcome(of: .rejected(Reason(rawValue: "BadDeviceToken"), .dead), push: push()).finish()
    #expect(settlement.deliveries.map(\.state) == [.failed])
    #expect(settlement.retirements.map(\.deadSince) == [sent])
  }

  @Test func theBrakeKeepsTokensButNotCertainDeaths() {
    let answer = ProviderAnswer.rejected(Reason(rawValue: "BadDeviceToken"), .dead)
    let braked = outcome(of: answer, push: push(), brakeIsOn: true).finish()
    #expect(braked.retirements.isEmpty)
    #expect(braked.deliveries.map(\.state) == [.failed])
    let died = Timestamp(seconds: 1_764_000_000)
    let certain = outcome(
      of: .rejected(Reason(rawValue: "Unregistered"), .deadSince(died)), push: push(), brakeIsOn: true
    ).finish()
    #expect(certain.retirements.map(\.deadSince) == [died])
  }

  @Test func retriesCountAnAttemptAndBecomeABatch() {
    let push = push(attempts: 1)
    let settlement = outcome(of: .retry(Reason(rawValue: "ServiceUnavailable"), after: nil), push: push).finish()
    #expect(settlement.deliveries.isEmpty)
    #expect(settlement.retries.map(\.attempts) == [2])
    // The second delay of the policy, with full jitter.
    #expect(settlement.retries.map(\.delay) == [Seconds(4)])
    #expect(settlement.retries.map(\.installations) == [[push.member.installation]])
  }

  @Test func aRetryPastTheTimeToLiveIsExpired() {
    let settlement = outcome(of: .retry(Reason(rawValue: "ServiceUnavailable"), after: nil), push: push(ttl: 1))
      .finish()
    #expect(settlement.deliveries.map(\.state) == [.expired])
    #expect(settlement.retries.isEmpty)
  }

  @Test func attemptsRunOutAsAFailure() {
    let settlement = outcome(of: .unanswered(.noAnswer), push: push(attempts: 49)).finish()
    #expect(settlement.deliveries.map(\.state) == [.failed])
  }

  @Test func whatWasNotSentUsesNoAttempt() {
    let settlement = outcome(of: .unsent(.notConnected), push: push(attempts: 2)).finish()
    #expect(settlement.retries.map(\.attempts) == [2])
    #expect(settlement.retries.map(\.delay) == [Seconds(5)])
  }

  @Test func aRefusedCredentialHoldsTheAppAndUsesNoAttempt() {
    let reason = Reason(rawValue: "InvalidProviderToken")
    let rules = outcome(of: .held(reason, .credential), push: push())
    #expect(rules.hold?.cause == .credential)
    #expect(rules.hold?.reason == reason)
    let settlement = rules.finish()
    #expect(settlement.retries.map(\.attempts) == [0])
    #expect(settlement.deliveries.isEmpty)
    #expect(settlement.retirements.isEmpty)
  }

  @Test func retriesOfOneFlushAreFewBatches() {
    var rules = rules()
    let push = push()
    for _ in 0..<100 {
      rules.apply(
        SendResult(
          recipient: 0, answer: .retry(Reason(rawValue: "InternalServerError"), after: nil), answeredAt: answered),
        to: push)
    }
    #expect(rules.finish().retries.count == 1)
  }
}

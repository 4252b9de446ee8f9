internal import PushCore

/// Turns the provider's answers into what is written of them: `docs/delivery.md`, row by row. A plain value without I/O; made for
/// each flush of a run.
struct SettlementRules {
  let policy: RetryPolicy
  let unsentDelay: Seconds
  let now: Timestamp
  /// When the group was handed to the provider: what a dead token without a time of death is compared with.
  let sentAt: Timestamp
  /// In 0..<1, one for each flush: the retries of a flush become few batches.
  let random: Double
  /// While the brake is on, a dead-token answer fails its delivery and retires nothing.
  let brakeIsOn: Bool

  private(set) var settlement = Settlement()
  /// Set when the app's queue must wait.
  private(set) var hold: (cause: HoldCause, reason: Reason)?
  private var retries: [RetryKey: [InstallationID]] = [:]

  private struct RetryKey: Hashable {
    let lease: BatchLease
    let message: MessageID
    let lane: Lane
    let attempts: Int16
    let delay: Seconds
  }

  init(
    policy: RetryPolicy, unsentDelay: Seconds, now: Timestamp, sentAt: Timestamp, random: Double, brakeIsOn: Bool
  ) {
    self.policy = policy
    self.unsentDelay = unsentDelay
    self.now = now
    self.sentAt = sentAt
    self.random = random
    self.brakeIsOn = brakeIsOn
  }

  mutating func apply(_ result: SendResult, to push: DeliveryPlan.Push) {
    let attempts = push.batch.attempts + 1
    switch result.answer {
    case .accepted:
      settlement.credentialAccepted = true
      settle(push, .accepted, nil, attempts, at: result.answeredAt)
    case .rejected(let reason, let verdict):
      settle(push, .failed, reason, attempts, at: result.answeredAt)
      retire(push, verdict, reason)
    case .retry(let reason, let wish):
      retry(push, reason, attempts, wish)
    case .unanswered(let reason):
      retry(push, reason, attempts, nil)
    case .unsent:
      later(push, attempts: push.batch.attempts, unsentDelay)
    case .held(let reason, let cause):
      hold = hold ?? (cause, reason)
      later(push, attempts: push.batch.attempts, Seconds(0))
    case .expired:
      settle(push, .expired, .expired, push.batch.attempts, at: result.answeredAt)
    }
  }

  /// The settlement with its retries gathered into batches.
  consuming func finish() -> Settlement {
    settlement.retries = retries.map { key, installations in
      Retry(
        lease: key.lease, message: key.message, lane: key.lane, installations: installations, attempts: key.attempts,
        delay: key.delay)
    }
    return settlement
  }

  private mutating func retry(_ push: DeliveryPlan.Push, _ reason: Reason, _ attempts: Int16, _ wish: Seconds?) {
    if let delay = policy.delay(
      afterAttempt: attempts, wish: wish, now: now, expiresAt: push.message.expiresAt, random: random)
    {
      later(push, attempts: attempts, delay)
    } else if attempts < policy.maximumAttempts {
      settle(push, .expired, reason, attempts, at: now)
    } else {
      settle(push, .failed, reason, attempts, at: now)
    }
  }

  private mutating func later(_ push: DeliveryPlan.Push, attempts: Int16, _ delay: Seconds) {
    let key = RetryKey(
      lease: push.batch.lease, message: push.message.id, lane: push.message.lane, attempts: attempts, delay: delay)
    retries[key, default: []].append(push.member.installation)
  }

  private mutating func retire(_ push: DeliveryPlan.Push, _ verdict: TokenVerdict, _ reason: Reason) {
    let deadSince: Timestamp
    switch verdict {
    case .keep: return
    case .dead, .notForTopic:
      guard !brakeIsOn else { return }
      deadSince = sentAt
    case .deadSince(let time): deadSince = time ?? sentAt
    }
    settlement.retirements.append(
      TokenRetirement(
        lease: push.batch.lease, installation: push.member.installation, token: push.token, deadSince: deadSince,
        reason: reason))
  }

  private mutating func settle(
    _ push: DeliveryPlan.Push, _ state: DeliveryState, _ reason: Reason?, _ attempts: Int16, at time: Timestamp
  ) {
    settlement.deliveries.append(
      SettledDelivery(
        lease: push.batch.lease, message: push.message.id, installation: push.member.installation,
        userID: push.member.userID, state: state, reason: reason, attempts: attempts, apnsID: push.apnsID,
        settledAt: time))
  }
}

internal import PushCore

/// What a claim comes to once its audience is known: who is sent to, grouped by what they share, and who is not and why.
///
/// A plain value made by one run; no I/O.
struct DeliveryPlan {
  /// A push that will be handed to the provider.
  struct Push: Sendable {
    let batch: ClaimedBatch
    let message: Message
    let member: AudienceMember
    let token: DeviceToken
    let apnsID: UInt128
  }

  /// What goes to the provider in one call; `pushes` runs parallel to the group's recipients.
  struct Group: Sendable {
    let group: SendGroup
    let pushes: [Push]
  }

  private(set) var groups: [Group] = []
  /// Deliveries that end without being sent.
  private(set) var settled: [SettledDelivery] = []
  /// Recipients without an installation.
  private(set) var missing: [(lease: BatchLease, reason: Reason, count: Int)] = []

  var recipients: Int { settled.count + groups.reduce(0) { $0 + $1.pushes.count } }

  init(
    claim: Claim, credential: APNsCredential, audience: Audience, app: AppID, signer: any DeliverySigner,
    now: Timestamp, compile: (Message) -> (any CompiledMessage)?
  ) {
    var compiled: [MessageID: (any CompiledMessage)?] = [:]
    var drafts: [PushEnvironment: GroupDraft] = [:]
    for member in audience.members {
      let batch = claim.batches[Int(member.batch)]
      guard let message = claim.messages[batch.message] else { continue }
      guard let token = member.token, Self.objection(to: member) == nil else {
        settle(member, batch, .suppressed, Self.objection(to: member) ?? .noToken, at: now)
        continue
      }
      guard now < message.expiresAt else {
        settle(member, batch, .expired, .expired, at: now)
        continue
      }
      if compiled[message.id] == nil { compiled[message.id] = .some(compile(message)) }
      guard let ready = compiled[message.id] ?? nil else {
        settle(member, batch, .failed, .notRenderable, at: now)
        continue
      }
      let signature = signer.sign(message: message.id, installation: member.installation)
      drafts[member.environment, default: GroupDraft()].add(
        Push(batch: batch, message: message, member: member, token: token, apnsID: signature.apnsID),
        compiled: ready, signature: signature)
    }
    groups = drafts.map { environment, draft in
      Group(
        group: SendGroup(
          app: app, environment: environment, credential: credential, messages: draft.messages,
          recipients: draft.recipients),
        pushes: draft.pushes)
    }
    missing = audience.missing.map { (claim.batches[$0.key].lease, .noDevice, $0.value) }
  }

  /// Why nothing is sent to a member whatever the message; `nil` when nothing is in the way.
  private static func objection(to member: AudienceMember) -> Reason? {
    if member.isRetired { return .retired }
    if member.token == nil { return .noToken }
    switch member.permission {
    case .denied: return .noPermission
    case .granted, .provisional, .ephemeral, .notDetermined, nil: return nil
    }
  }

  private mutating func settle(
    _ member: AudienceMember, _ batch: ClaimedBatch, _ state: DeliveryState, _ reason: Reason, at now: Timestamp
  ) {
    settled.append(
      SettledDelivery(
        lease: batch.lease, message: batch.message, installation: member.installation, userID: member.userID,
        state: state, reason: reason, attempts: batch.attempts, apnsID: nil, settledAt: now))
  }
}

private struct GroupDraft {
  var messages: [any CompiledMessage] = []
  var index: [MessageID: Int32] = [:]
  var recipients: [Recipient] = []
  var pushes: [DeliveryPlan.Push] = []

  mutating func add(_ push: DeliveryPlan.Push, compiled: any CompiledMessage, signature: DeliverySignature) {
    let position: Int32
    if let known = index[push.message.id] {
      position = known
    } else {
      position = Int32(messages.count)
      messages.append(compiled)
      index[push.message.id] = position
    }
    recipients.append(
      Recipient(
        installation: push.member.installation, token: push.token, message: position, locale: push.member.locale,
        signature: signature))
    pushes.append(push)
  }
}

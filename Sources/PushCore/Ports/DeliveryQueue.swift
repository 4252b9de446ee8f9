/// The queue as a worker sees it: batches under leases. Implemented by the store; usable from any thread. All times are judged by
/// the database's clock.
package protocol DeliveryQueue: Sendable {
  /// Hints that there may be work, coalesced; also one after each reconnect. Hints can be lost: a slow poll stands behind them.
  /// Ends when the store stops.
  func wakeUps() async -> AsyncStream<Void>

  /// Which apps have work that is due and not held, by lane, with a rough number of batches (at most 1000 counted for each).
  /// Takes no locks.
  func dueWork(as authority: WorkerAuthority) async throws -> [DueWork]

  /// When the next work that is not due yet becomes so; `nil` for none within an hour.
  func nextDue(as authority: WorkerAuthority) async throws -> Seconds?

  /// Takes up to `limit` due batches of one app and lane under a lease, with all it needs to send them; `nil` when others were
  /// faster. A slice of everybody is cut here: the claimed batch covers at most `sliceSize` installations and the rest goes
  /// back as a batch of its own, in the same transaction.
  func claim(_ request: ClaimRequest, in scope: TenantScope) async throws -> Claim?

  /// Everyone in the audiences of these batches as of now, without those whose delivery is settled already.
  func audience(of batches: [ClaimedBatch], in scope: TenantScope) async throws -> Audience

  /// Writes what became of a claim's deliveries, once, in one transaction: rows, counts, retries as new batches, retired tokens,
  /// finished batches and messages. Batches whose lease has gone to somebody else are left out, whole.
  /// Returns those.
  func settle(_ settlement: Settlement, in scope: TenantScope) async throws -> Set<BatchID>

  /// Keeps the leases of batches that are still worked on. Returns those that were lost.
  func extendLeases(of batches: [BatchLease], by lease: Seconds, in scope: TenantScope) async throws -> Set<BatchID>

  /// Gives batches back that were claimed and not begun, or whose rest is to be done by another; no attempt is used.
  func release(_ batches: [BatchLease], after delay: Seconds, in scope: TenantScope) async throws

  /// Makes due again what workers that died had claimed. Returns how many batches.
  func rescueExpired(as authority: WorkerAuthority) async throws -> Int

  /// Pauses the app's credential: nothing of it is due until it is replaced or verified.
  func hold(_ cause: HoldCause, reason: Reason, in scope: TenantScope) async throws
}

package struct DueWork: Sendable, Hashable {
  package let app: AppID
  package let lane: Lane
  package let batches: Int
  package init(app: AppID, lane: Lane, batches: Int) {
    self.app = app
    self.lane = lane
    self.batches = batches
  }
}

package struct ClaimRequest: Sendable, Hashable {
  package let worker: WorkerID
  package let lane: Lane
  package let limit: Int
  package let sliceSize: Int
  package let lease: Seconds
  package init(worker: WorkerID, lane: Lane, limit: Int, sliceSize: Int, lease: Seconds) {
    self.worker = worker
    self.lane = lane
    self.limit = limit
    self.sliceSize = sliceSize
    self.lease = lease
  }
}

/// Batches of one app, with what is needed to send them.
package struct Claim: Sendable {
  /// `nil` when the app has none: everything in the claim is held.
  package let credential: APNsCredential?
  package let batches: [ClaimedBatch]
  package let messages: [MessageID: Message]
  package init(credential: APNsCredential?, batches: [ClaimedBatch], messages: [MessageID: Message]) {
    self.credential = credential
    self.batches = batches
    self.messages = messages
  }
}

/// A lease on a batch: `fence` grows with each claim, so that a late report of a worker that lost it changes nothing.
package struct BatchLease: Sendable, Hashable {
  package let batch: BatchID
  package let fence: Int64
  package init(batch: BatchID, fence: Int64) {
    self.batch = batch
    self.fence = fence
  }
}

package struct ClaimedBatch: Sendable, Hashable {
  package let lease: BatchLease
  package let message: MessageID
  package let part: AudiencePart
  /// How many times the deliveries in it have been tried.
  package let attempts: Int16
  package init(lease: BatchLease, message: MessageID, part: AudiencePart, attempts: Int16) {
    self.lease = lease
    self.message = message
    self.part = part
    self.attempts = attempts
  }
}

/// Which part of a message's audience a batch is.
package enum AudiencePart: Sendable, Hashable {
  case users([String])
  case installations([InstallationID])
  /// Installations with ids above `after` and up to `through`.
  case slice(after: InstallationID, through: InstallationID)
}

/// The people of some batches, as of now.
package struct Audience: Sendable {
  package let members: [AudienceMember]
  /// For each batch (by index): users in its list who have no installation that is not retired, and installations that do not
  /// exist. They count as suppressed.
  package let missing: [Int: Int]
  package init(members: [AudienceMember], missing: [Int: Int]) {
    self.members = members
    self.missing = missing
  }
}

package struct AudienceMember: Sendable {
  /// Index into the batches that were asked for.
  package let batch: Int32
  package let installation: InstallationID
  package let token: DeviceToken?
  package let environment: PushEnvironment
  package let permission: PermissionState?
  package let locale: String?
  package let userID: String?
  package let registeredAt: Timestamp
  package let isRetired: Bool

  package init(
    batch: Int32, installation: InstallationID, token: DeviceToken?, environment: PushEnvironment,
    permission: PermissionState?, locale: String?, userID: String?, registeredAt: Timestamp, isRetired: Bool
  ) {
    self.batch = batch
    self.installation = installation
    self.token = token
    self.environment = environment
    self.permission = permission
    self.locale = locale
    self.userID = userID
    self.registeredAt = registeredAt
    self.isRetired = isRetired
  }
}

/// What is to be written of a claim, in one transaction. Everything in it is dropped for a batch whose lease is lost.
package struct Settlement: Sendable {
  package var deliveries: [SettledDelivery] = []
  package var retries: [Retry] = []
  /// Tokens to retire.
  package var retirements: [TokenRetirement] = []
  /// Recipients without an installation, by batch, who count as suppressed with this reason.
  package var missing: [(lease: BatchLease, reason: Reason, count: Int)] = []
  /// Batches that are done: nothing of theirs is left but what `retries` names.
  package var finished: [BatchLease] = []
  /// Set when Apple took a push with this credential: what was unverified is verified.
  package var credentialAccepted: Bool = false
  package init() {}
}

package struct SettledDelivery: Sendable {
  package let lease: BatchLease
  package let message: MessageID
  package let installation: InstallationID
  package let userID: String?
  package let state: DeliveryState
  package let reason: Reason?
  package let attempts: Int16
  package let apnsID: UInt128?
  package let settledAt: Timestamp

  package init(
    lease: BatchLease, message: MessageID, installation: InstallationID, userID: String?, state: DeliveryState,
    reason: Reason?, attempts: Int16, apnsID: UInt128?, settledAt: Timestamp
  ) {
    self.lease = lease
    self.message = message
    self.installation = installation
    self.userID = userID
    self.state = state
    self.reason = reason
    self.attempts = attempts
    self.apnsID = apnsID
    self.settledAt = settledAt
  }
}

/// Deliveries that are tried again later: they become a batch of their own.
package struct Retry: Sendable {
  package let lease: BatchLease
  package let message: MessageID
  package let lane: Lane
  package let installations: [InstallationID]
  package let attempts: Int16
  package let delay: Seconds
  package init(
    lease: BatchLease, message: MessageID, lane: Lane, installations: [InstallationID], attempts: Int16, delay: Seconds
  ) {
    self.lease = lease
    self.message = message
    self.lane = lane
    self.installations = installations
    self.attempts = attempts
    self.delay = delay
  }
}

/// A token that Apple calls dead. It is retired unless the device has registered after `deadSince`.
package struct TokenRetirement: Sendable, Hashable {
  package let lease: BatchLease
  package let installation: InstallationID
  /// The token that was tried: one that the device has replaced meanwhile is not touched.
  package let token: DeviceToken
  package let deadSince: Timestamp
  package let reason: Reason
  package init(
    lease: BatchLease, installation: InstallationID, token: DeviceToken, deadSince: Timestamp, reason: Reason
  ) {
    self.lease = lease
    self.installation = installation
    self.token = token
    self.deadSince = deadSince
    self.reason = reason
  }
}

/// The final states of a delivery (one message for one installation). A row is written once, with one of these; until then a batch
/// row stands for it.
package enum DeliveryState: Int16, Sendable, Hashable, CaseIterable {
  case accepted = 1
  case failed = 2
  case expired = 3
  case cancelled = 4
  case suppressed = 5

  /// The word in the API.
  package var word: String {
    switch self {
    case .accepted: "accepted"
    case .failed: "failed"
    case .expired: "expired"
    case .cancelled: "cancelled"
    case .suppressed: "suppressed"
    }
  }
}

/// A delivery as a sender reads it.
package struct DeliveryReport: Sendable, Hashable {
  package let message: MessageID
  package let installation: InstallationID
  package let userID: String?
  package let state: DeliveryState
  package let reason: Reason?
  package let attempts: Int16
  package let apnsID: UInt128?
  package let settledAt: Timestamp
  package let receipts: [ReceiptKind: Timestamp]

  package init(
    message: MessageID, installation: InstallationID, userID: String?, state: DeliveryState, reason: Reason?,
    attempts: Int16, apnsID: UInt128?, settledAt: Timestamp, receipts: [ReceiptKind: Timestamp]
  ) {
    self.message = message
    self.installation = installation
    self.userID = userID
    self.state = state
    self.reason = reason
    self.attempts = attempts
    self.apnsID = apnsID
    self.settledAt = settledAt
    self.receipts = receipts
  }
}

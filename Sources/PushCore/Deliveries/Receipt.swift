/// What a phone reports of a push. Each kind counts once for a delivery; the first report's time stays.
package enum ReceiptKind: Int16, Sendable, Hashable, CaseIterable {
  case delivered = 1
  case opened = 2
  case dismissed = 3
  case action = 4

  package var word: String {
    switch self {
    case .delivered: "delivered"
    case .opened: "opened"
    case .dismissed: "dismissed"
    case .action: "action"
    }
  }

  package init?(word: String) {
    guard let kind = Self.allCases.first(where: { $0.word == word }) else { return nil }
    self = kind
  }
}

package struct Receipt: Sendable, Hashable {
  package let message: MessageID
  package let installation: InstallationID
  package let kind: ReceiptKind
  /// By the phone's clock, clamped by the store to between the message's making and now.
  package let occurredAt: Timestamp?
  /// The button that was tapped, for `action`.
  package let action: String?

  package init(
    message: MessageID, installation: InstallationID, kind: ReceiptKind, occurredAt: Timestamp?, action: String?
  ) {
    self.message = message
    self.installation = installation
    self.kind = kind
    self.occurredAt = occurredAt
    self.action = action
  }
}

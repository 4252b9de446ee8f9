/// Messages, their deliveries and receipts, for senders and phones. Implemented by the store; usable from any thread.
package protocol MessageStore: Sendable {
  /// Writes the message, its fan-out plan and the answer to this idempotency key in one transaction and wakes the workers. When it
  /// returns `created`, the message is a promise.
  func create(
    _ draft: MessageDraft, idempotency: IdempotencyClaim?, in scope: TenantScope
  ) async throws -> MessageCreation

  func message(_ id: MessageID, in scope: TenantScope) async throws -> MessageReport
  /// Newest first.
  func messages(_ page: PageRequest, in scope: TenantScope) async throws -> Page<MessageReport>
  /// In the order of installations; `state` and `userID` narrow it.
  func deliveries(
    of message: MessageID, state: DeliveryState?, userID: String?, _ page: PageRequest, in scope: TenantScope
  ) async throws -> Page<DeliveryReport>

  /// Keeps receipts whose delivery ids have been checked; each (delivery, kind) counts once. Gathered with others and committed
  /// together; returns after the commit.
  func record(_ receipts: [Receipt], as device: DeviceScope) async throws
}

/// A sender's word that two requests with the same key are one.
package struct IdempotencyClaim: Sendable, Hashable {
  /// Up to 255 bytes, printable.
  package let key: String
  /// SHA-256 of the request's body: the same key with another body is a mistake.
  package let bodyHash: [UInt8]
  package init(key: String, bodyHash: [UInt8]) {
    self.key = key
    self.bodyHash = bodyHash
  }
}

package enum MessageCreation: Sendable, Hashable {
  case created(CreatedMessage)
  /// The key was used with this body before; this is what was made then.
  case replayed(CreatedMessage)
  /// The key was used with another body.
  case keyReused
}

package struct CreatedMessage: Sendable, Hashable {
  package let id: MessageID
  package let status: MessageStatus
  package let createdAt: Timestamp
  package init(id: MessageID, status: MessageStatus, createdAt: Timestamp) {
    self.id = id
    self.status = status
    self.createdAt = createdAt
  }
}

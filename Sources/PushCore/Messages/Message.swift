/// A message to be made: what a sender asked for, checked.
package struct MessageDraft: Sendable, Hashable {
  package var target: Target
  package var content: MessageContent
  package var lane: Lane
  package var sendAt: Timestamp?
  /// How long after its start it is still worth sending.
  package var timeToLive: Seconds
  /// For people, in lists.
  package var name: String?

  package init(
    target: Target, content: MessageContent, lane: Lane, sendAt: Timestamp? = nil,
    timeToLive: Seconds = .defaultTimeToLive, name: String? = nil
  ) {
    self.target = target
    self.content = content
    self.lane = lane
    self.sendAt = sendAt
    self.timeToLive = timeToLive
    self.name = name
  }
}

/// Whole seconds.
package struct Seconds: Sendable, Hashable, Comparable {
  package let count: Int64
  package init(_ count: Int64) { self.count = count }
  package static func < (left: Seconds, right: Seconds) -> Bool { left.count < right.count }

  /// A day.
  package static let defaultTimeToLive = Seconds(86_400)
  /// Apple keeps nothing longer than 30 days.
  package static let maximumTimeToLive = Seconds(30 * 86_400)
}

/// Which queue: `transactional` is served first and has capacity of its own, so that a broadcast does not delay it.
package enum Lane: String, Sendable, Hashable, CaseIterable {
  case transactional, bulk
}

package enum MessageStatus: String, Sendable, Hashable, CaseIterable {
  case scheduled, queued, sending, held, done, cancelled
}

/// A message as it stands in the store.
package struct Message: Sendable, Hashable {
  package let id: MessageID
  package let app: AppID
  package let content: MessageContent
  package let lane: Lane
  package let name: String?
  package let createdAt: Timestamp
  /// When it is due: `sendAt`, or its making.
  package let dueAt: Timestamp
  /// Nothing is sent from here on.
  package let expiresAt: Timestamp

  package init(
    id: MessageID, app: AppID, content: MessageContent, lane: Lane, name: String?, createdAt: Timestamp,
    dueAt: Timestamp, expiresAt: Timestamp
  ) {
    self.id = id
    self.app = app
    self.content = content
    self.lane = lane
    self.name = name
    self.createdAt = createdAt
    self.dueAt = dueAt
    self.expiresAt = expiresAt
  }
}

/// What a sender reads of a message: how far it is and what became of it. `targeted` is the sum of the final states once the
/// message is done.
package struct MessageReport: Sendable, Hashable {
  package var id: MessageID
  package var status: MessageStatus
  package var name: String?
  package var lane: Lane
  package var createdAt: Timestamp
  package var sendAt: Timestamp?
  package var startedAt: Timestamp?
  package var finishedAt: Timestamp?
  package var counts = MessageCounts()
  package var suppressedBy: [Reason: Int64] = [:]
  package var failedBy: [Reason: Int64] = [:]
  /// From the message's due time to Apple's answer.
  package var latency: Latency?

  package init(id: MessageID, status: MessageStatus, name: String?, lane: Lane, createdAt: Timestamp) {
    self.id = id
    self.status = status
    self.name = name
    self.lane = lane
    self.createdAt = createdAt
  }

  package struct Latency: Sendable, Hashable {
    package let p50Milliseconds: Int64
    package let p99Milliseconds: Int64

    package init(p50Milliseconds: Int64, p99Milliseconds: Int64) {
      self.p50Milliseconds = p50Milliseconds
      self.p99Milliseconds = p99Milliseconds
    }
  }
}

package struct MessageCounts: Sendable, Hashable {
  package var targeted: Int64 = 0
  package var suppressed: Int64 = 0
  package var accepted: Int64 = 0
  package var failed: Int64 = 0
  package var expired: Int64 = 0
  package var cancelled: Int64 = 0
  package var retrying: Int64 = 0
  package var delivered: Int64 = 0
  package var opened: Int64 = 0
  package var dismissed: Int64 = 0
  package init() {}
}

internal import Crypto
internal import PushCore

/// A message on its way into the store: made and encoded in the caller's task, so that the gatherer only writes.
struct NewMessage: Sendable {
  let id = MessageID.make()
  let draft: MessageDraft
  let content: [UInt8]
  let batches: [NewBatch]
  let idempotency: IdempotencyClaim?

  init(_ draft: MessageDraft, idempotency: IdempotencyClaim?) {
    self.draft = draft
    self.idempotency = idempotency
    content = ContentCodec.encode(draft.content)
    batches = NewBatch.plan(for: draft.target, message: id, lane: draft.lane, sendAt: draft.sendAt)
  }
}

/// A part of an audience that is to be queued.
struct NewBatch: Sendable, Hashable {
  let id = BatchID.make()
  let message: MessageID
  let lane: Lane
  let sendAt: Timestamp?
  let part: AudiencePart

  /// A batch with a list is claimed, resolved and settled as a whole; a thousand is a fraction of a second's work.
  static let maximumList = 1000

  /// Who is named twice is sent to once. A list of nobody is a message without batches.
  static func plan(for target: Target, message: MessageID, lane: Lane, sendAt: Timestamp?) -> [NewBatch] {
    let parts: [AudiencePart] =
      switch target {
      case .users(let users): users.deduplicated().chunks(of: maximumList).map { .users($0) }
      case .installations(let ids): ids.deduplicated().chunks(of: maximumList).map { .installations($0) }
      case .all: [.slice(after: .lowest, through: .highestSoFar())]
      }
    return parts.map { NewBatch(message: message, lane: lane, sendAt: sendAt, part: $0) }
  }

  /// Goes with others in one statement: it is a range, or a list of one.
  var isPlain: Bool {
    switch part {
    case .users(let users): users.count == 1
    case .installations(let ids): ids.count == 1
    case .slice: true
    }
  }
}

extension AudiencePart {
  var users: [String]? {
    guard case .users(let users) = self else { return nil }
    return users
  }

  var installations: [InstallationID]? {
    guard case .installations(let ids) = self else { return nil }
    return ids
  }

  var range: (after: InstallationID, through: InstallationID)? {
    guard case .slice(let after, let through) = self else { return nil }
    return (after, through)
  }
}

extension Array where Element: Hashable {
  /// Each element once, at its first place.
  func deduplicated() -> [Element] {
    var seen = Set<Element>(minimumCapacity: count)
    return filter { seen.insert($0).inserted }
  }
}

extension Array {
  func chunks(of size: Int) -> [[Element]] {
    stride(from: 0, to: count, by: size).map { Array(self[$0..<Swift.min($0 + size, count)]) }
  }
}

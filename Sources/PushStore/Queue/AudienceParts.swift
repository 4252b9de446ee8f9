internal import Postgres
internal import PushCore

/// What only the rows say of a claimed batch.
struct BatchFacts: Sendable {
  /// It is a retry, or was claimed before: some of it may be settled.
  let mayBeSettled: Bool
  /// Who of it has no installation was counted by an earlier claim.
  let isMissingSettled: Bool
  let messageCreatedAt: Timestamp
}

/// The batches of a claim sorted by how their people are read, and the counting of who is missing.
struct AudienceParts {
  struct Slice: Sendable {
    let batch: Int32
    let message: MessageID
    let after: InstallationID
    let through: InstallationID
    let createdUntil: Timestamp
    let mayBeSettled: Bool
  }

  /// Recipients of many batches as arrays side by side.
  struct List<Value: Sendable>: Sendable {
    var batches: [Int32] = []
    var values: [Value] = []
    var messages: [MessageID] = []
    var mayBeSettled: [Bool] = []

    fileprivate mutating func append(_ values: [Value], of batch: Int32, _ message: MessageID, _ facts: BatchFacts) {
      self.values += values
      batches += repeatElement(batch, count: values.count)
      messages += repeatElement(message, count: values.count)
      mayBeSettled += repeatElement(facts.mayBeSettled, count: values.count)
    }
  }

  private(set) var slices: [Slice] = []
  private(set) var users = List<String>()
  private(set) var installations = List<InstallationID>()
  private(set) var missing: [Int: Int] = [:]
  private var missingSettled: Set<Int32> = []

  init(_ batches: [ClaimedBatch], _ facts: [BatchLease: BatchFacts]) {
    for (index, batch) in batches.enumerated() {
      guard let facts = facts[batch.lease] else { continue }
      let index = Int32(index)
      if facts.isMissingSettled { missingSettled.insert(index) }
      switch batch.part {
      case .users(let names): users.append(names, of: index, batch.message, facts)
      case .installations(let ids): installations.append(ids, of: index, batch.message, facts)
      case .slice(let after, let through):
        slices.append(
          Slice(
            batch: index, message: batch.message, after: after, through: through,
            createdUntil: facts.messageCreatedAt, mayBeSettled: facts.mayBeSettled))
      }
    }
  }

  /// Keeps those who are there and not settled, and counts those who are not there.
  mutating func take(_ rows: [ResolvedRow]) -> [AudienceMember] {
    var members: [AudienceMember] = []
    members.reserveCapacity(rows.count)
    for row in rows {
      switch row {
      case .member(let member): members.append(member)
      case .settled: break
      case .missing(let batch):
        if !missingSettled.contains(batch) { missing[Int(batch), default: 0] += 1 }
      }
    }
    return members
  }
}

/// What became of one recipient of a list.
enum ResolvedRow: Sendable {
  case member(AudienceMember)
  case settled
  case missing(batch: Int32)

  /// Columns: batch, settled, retired, and the installation's from the fourth on, null where there is none.
  init(row: borrowing RowReader) throws {
    let batch = try row.value(0, as: Int32.self)
    if row.isNull(3) {
      self = .missing(batch: batch)
    } else if try row.value(1, as: Bool.self) {
      self = .settled
    } else {
      self = .member(try AudienceMember(row: row, batch: batch, at: 3, isRetired: try row.value(2)))
    }
  }
}

extension AudienceMember {
  init(row: borrowing RowReader, batch: Int32, at column: Int, isRetired: Bool) throws {
    self.init(
      batch: batch, installation: try row.value(column), token: try row.optional(column + 1),
      environment: try row.value(column + 2), permission: try row.optional(column + 3),
      locale: try row.optional(column + 4), userID: try row.optional(column + 5),
      registeredAt: try row.value(column + 6), isRetired: isRetired)
  }
}

internal import Transport

/// One push under way, or about to be sent again.
struct Flight {
  let group: GroupRun
  let recipient: Int32
  var connection = 0
  var submittedAt = MonotonicTime(nanoseconds: 0)
  var tokenGeneration: Int32 = 0
  /// How often it came back unprocessed.
  var resends: UInt8 = 0
  /// Whether it has been sent again because of its token's age.
  var isRenewed = false
}

/// Pushes under way, by tag, in the order of their deadlines: all wait equally long, so that is the order of submission, and one timer
/// does for all.
///
/// A plain value, owned by one pool. A slot is used again; nothing is allocated once it has grown to the most that was under way.
struct FlightTable {
  private struct Slot {
    var flight: Flight?
    var deadline = MonotonicTime(nanoseconds: 0)
    var earlier: Int32 = none
    var later: Int32 = none
  }

  private static let none: Int32 = -1
  private var slots: [Slot] = []
  private var free: [Int32] = []
  private var first = none
  private var last = none

  var count: Int { slots.count - free.count }
  var earliestDeadline: MonotonicTime? { first == Self.none ? nil : slots[Int(first)].deadline }

  /// `deadline` is not earlier than any before it.
  mutating func insert(_ flight: Flight, deadline: MonotonicTime) -> Int32 {
    let slot = Slot(flight: flight, deadline: deadline, earlier: last, later: Self.none)
    let tag: Int32
    if let reused = free.popLast() {
      tag = reused
      slots[Int(tag)] = slot
    } else {
      tag = Int32(slots.count)
      slots.append(slot)
    }
    if last == Self.none { first = tag } else { slots[Int(last)].later = tag }
    last = tag
    return tag
  }

  /// `nil` when it has been taken out before.
  mutating func remove(_ tag: Int32) -> Flight? {
    let slot = slots[Int(tag)]
    guard let flight = slot.flight else { return nil }
    if slot.earlier == Self.none { first = slot.later } else { slots[Int(slot.earlier)].later = slot.later }
    if slot.later == Self.none { last = slot.earlier } else { slots[Int(slot.later)].earlier = slot.earlier }
    slots[Int(tag)].flight = nil
    free.append(tag)
    return flight
  }

  /// One whose deadline has passed; the caller removes it.
  func overdue(at now: MonotonicTime) -> Int32? {
    guard let earliestDeadline, earliestDeadline <= now else { return nil }
    return first
  }

  var oldest: Int32? { first == Self.none ? nil : first }
}

extension MonotonicTime {
  func seconds(since earlier: MonotonicTime) -> Double {
    Double(nanoseconds &- min(earlier.nanoseconds, nanoseconds)) / 1e9
  }
}

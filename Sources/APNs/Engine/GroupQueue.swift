/// Groups with recipients that wait, in turn: each gives a few, so that a small group is not behind a large one.
///
/// A plain value, owned by one pool.
struct GroupQueue {
  /// How many pushes a group may send before it is the next one's turn: few enough to be fair, enough to find their memory warm.
  static let turn = 16

  private var groups: [GroupRun] = []
  private var position = 0
  private var left = turn

  var waiting: Int { groups.reduce(0) { $0 + $1.waiting } }
  var isEmpty: Bool { groups.isEmpty }

  mutating func append(_ group: GroupRun) { groups.append(group) }

  mutating func next() -> (GroupRun, Int32)? {
    while !groups.isEmpty {
      if position >= groups.count { position = 0 }
      let group = groups[position]
      guard let recipient = group.takeNext() else {
        groups.remove(at: position)
        left = Self.turn
        continue
      }
      left -= 1
      if left == 0 {
        left = Self.turn
        position += 1
      }
      return (group, recipient)
    }
    return nil
  }

  /// Takes out the groups of which `isChosen` is true.
  mutating func remove(where isChosen: (GroupRun) -> Bool) -> [GroupRun] {
    let chosen = groups.filter(isChosen)
    if !chosen.isEmpty {
      groups.removeAll(where: isChosen)
      position = 0
      left = Self.turn
    }
    return chosen
  }
}

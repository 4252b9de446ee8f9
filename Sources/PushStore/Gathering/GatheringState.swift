/// How much is gathered.
struct GatheringLimits: Sendable {
  /// Items in one transaction.
  var group = 256
  /// Transactions of one key at once. More than one only where two groups never wait for each other's rows.
  var commitsPerKey = 1
  /// Transactions at once over all keys: connections that may be taken.
  var commits = 4
  /// Items waiting over all keys; beyond it callers are refused.
  var waiting = 8192
}

/// Items of one key that are committed together.
struct GatheredGroup<Key: Hashable & Sendable, Item: Sendable>: Sendable {
  let key: Key
  let items: [Item]
}

/// Who waits for what in a ``CommitGatherer``: a value without I/O behind its lock.
///
/// A key is in `turns` exactly when it has items and may start a commit, so that choosing the next group is one step.
struct GatheringState<Key: Hashable & Sendable, Item: Sendable>: Sendable {
  enum Answer: Sendable {
    case queued
    case start(GatheredGroup<Key, Item>)
    case refused(StoreError.Code)
  }

  /// What the end of a commit makes possible.
  struct Follow: Sendable {
    var next: GatheredGroup<Key, Item>?
    var extra: [GatheredGroup<Key, Item>] = []
    var drained: [CheckedContinuation<Void, Never>] = []
  }

  private struct Line: Sendable {
    var items: [Item] = []
    var commits = 0
  }

  private let limits: GatheringLimits
  private var lines: [Key: Line] = [:]
  private var turns: [Key] = []
  private(set) var waiting = 0
  private var commits = 0
  private(set) var isStopped = false
  private var drained: [CheckedContinuation<Void, Never>] = []

  init(_ limits: GatheringLimits) { self.limits = limits }

  mutating func accept(_ item: Item, for key: Key) -> Answer {
    guard !isStopped else { return .refused(.stopped) }
    guard waiting < limits.waiting else { return .refused(.overloaded) }
    waiting += 1
    var line = lines[key] ?? Line()
    line.items.append(item)
    if line.items.count == 1, line.commits < limits.commitsPerKey { turns.append(key) }
    lines[key] = line
    guard let group = nextGroup() else { return .queued }
    return .start(group)
  }

  /// A commit of this key has ended and its items are answered.
  mutating func finish(_ key: Key) -> Follow {
    commits -= 1
    if var line = lines[key] {
      line.commits -= 1
      let mayStart = line.commits < limits.commitsPerKey && !line.items.isEmpty
      lines[key] = line.commits == 0 && line.items.isEmpty ? nil : line
      if mayStart, !turns.contains(key) { turns.append(key) }
    }
    var follow = Follow(next: nextGroup())
    while let group = nextGroup() { follow.extra.append(group) }
    guard isStopped, commits == 0, waiting == 0 else { return follow }
    follow.drained = drained
    drained = []
    return follow
  }

  /// True when nothing is under way; otherwise the continuation comes with the last commit's end.
  mutating func stop(notifying continuation: CheckedContinuation<Void, Never>) -> Bool {
    isStopped = true
    guard commits > 0 || waiting > 0 else { return true }
    drained.append(continuation)
    return false
  }

  private mutating func nextGroup() -> GatheredGroup<Key, Item>? {
    guard commits < limits.commits, !turns.isEmpty else { return nil }
    let key = turns.removeFirst()
    guard var line = lines[key] else { return nil }
    let items = Array(line.items.prefix(limits.group))
    line.items.removeFirst(items.count)
    line.commits += 1
    if !line.items.isEmpty, line.commits < limits.commitsPerKey { turns.append(key) }
    lines[key] = line
    waiting -= items.count
    commits += 1
    return GatheredGroup(key: key, items: items)
  }
}

/// Which statements a connection has prepared, by text and parameter types, bounded: the least recently used goes.
///
/// A value inside one `ServerSession`; pure bookkeeping, the session talks to the server.
struct StatementCache {
  struct Key: Hashable {
    let sql: String
    let types: [UInt32]
  }

  private struct Entry {
    let name: String
    var lastUse: UInt64
  }

  private let capacity: Int
  private var entries: [Key: Entry] = [:]
  private var clock: UInt64 = 0
  private var lastName: UInt64 = 0

  init(capacity: Int) {
    self.capacity = max(1, capacity)
    entries.reserveCapacity(min(self.capacity, 1024))
  }

  var count: Int { entries.count }

  /// The name under which the statement is prepared, marking it as used.
  mutating func name(for key: Key) -> String? {
    guard let index = entries.index(forKey: key) else { return nil }
    clock += 1
    entries.values[index].lastUse = clock
    return entries.values[index].name
  }

  /// A name that no statement of this connection has had before.
  mutating func makeName() -> String {
    lastName += 1
    return "s\(lastName)"
  }

  /// Notes a prepared statement; returns the name of the one that had to go for it, for the caller to deallocate.
  mutating func insert(_ key: Key, name: String) -> String? {
    var evicted: String?
    if entries.count >= capacity, let oldest = entries.min(by: { $0.value.lastUse < $1.value.lastUse }) {
      evicted = oldest.value.name
      entries[oldest.key] = nil
    }
    clock += 1
    entries[key] = Entry(name: name, lastUse: clock)
    return evicted
  }

  /// Forgets a statement that the server no longer has or no longer runs.
  mutating func remove(_ key: Key) { entries[key] = nil }

  mutating func remove(name: String) {
    guard let key = entries.first(where: { $0.value.name == name })?.key else { return }
    entries[key] = nil
  }
}

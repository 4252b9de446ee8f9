/// The event sources of one loop, found by descriptor and generation.
///
/// A descriptor number comes back as soon as it is closed; the generation does not (it wraps after 2^32 registrations),
/// so a stale event and a late answer find nothing. Loop thread only.
struct SourceTable {
  private struct Entry {
    var generation: UInt32 = 0
    var source: (any EventSource)?
  }

  private var entries: [Entry] = []
  private var lastGeneration: UInt32 = 0

  mutating func add(_ source: any EventSource, descriptor: Int32) -> ChannelID {
    let place = Int(descriptor)
    while entries.count <= place { entries.append(Entry()) }
    lastGeneration = lastGeneration == .max ? 1 : lastGeneration + 1
    entries[place] = Entry(generation: lastGeneration, source: source)
    return ChannelID(descriptor: descriptor, generation: lastGeneration)
  }

  mutating func remove(_ id: ChannelID) {
    guard find(id) != nil else { return }
    entries[Int(id.descriptor)].source = nil
  }

  func find(_ id: ChannelID) -> (any EventSource)? {
    let place = Int(id.descriptor)
    guard place < entries.count, entries[place].generation == id.generation else { return nil }
    return entries[place].source
  }

  mutating func removeAll() -> [any EventSource] {
    defer { entries = [] }
    return entries.compactMap(\.source)
  }
}

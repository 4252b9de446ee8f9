/// The newest requests, bounded by number and by bytes; the oldest go first. A value inside the host's lock.
package struct RequestLog: Sendable {
  private let limits: Limits
  private var entries: [RecordedRequest] = []
  private var first = 0
  private var bytes = 0

  package struct Limits: Sendable, Hashable {
    package var requests: Int
    package var bytes: Int

    package init(requests: Int = 100_000, bytes: Int = 256 << 20) {
      self.requests = requests
      self.bytes = bytes
    }

    /// Keeps nothing; counters still count.
    package static let off = Limits(requests: 0, bytes: 0)
  }

  package init(limits: Limits) { self.limits = limits }

  package var isOff: Bool { limits.requests == 0 }
  package var count: Int { entries.count - first }

  package mutating func append(_ request: RecordedRequest) {
    guard !isOff else { return }
    entries.append(request)
    bytes += request.size
    while count > limits.requests || (bytes > limits.bytes && count > 1) {
      bytes -= entries[first].size
      first += 1
    }
    // Moves the rest once per doubling, so that appending stays cheap and dropped requests do not stay for long.
    guard first > 1024, first > entries.count / 2 else { return }
    entries.removeFirst(first)
    first = 0
  }

  /// Up to `limit` requests with a number above `number`, oldest first.
  package func page(after number: UInt64, limit: Int) -> ArraySlice<RecordedRequest> {
    var low = first
    var high = entries.count
    while low < high {
      let middle = low + (high - low) / 2
      if entries[middle].number > number { high = middle } else { low = middle + 1 }
    }
    return entries[low...].prefix(limit)
  }

  package mutating func removeAll() {
    entries.removeAll()
    first = 0
    bytes = 0
  }
}

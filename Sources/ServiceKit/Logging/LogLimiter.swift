/// Lets one line a second through for each event, and counts the others. Shared by a log and what was made from it; any thread;
/// as large as there are events in the source.
final class LogLimiter: Sendable {
  private struct Entry {
    var next: ContinuousClock.Instant
    var suppressed = 0
  }
  private let entries = Lock<[String: Entry]>([:])

  /// `nil`: not now. Otherwise how many were left out since the last one.
  func admit(_ event: StaticString, at now: ContinuousClock.Instant = .now) -> Int? {
    entries.withLock { entries in
      let name = event.description
      if var entry = entries[name], now < entry.next {
        entry.suppressed += 1
        entries[name] = entry
        return nil
      }
      let suppressed = entries[name]?.suppressed ?? 0
      entries[name] = Entry(next: now + .seconds(1))
      return suppressed
    }
  }
}

internal import ServiceKit

/// Remembers answers for seconds, bounded: also that there is none, since whoever tries ids at random must not reach the database
/// each time.
///
/// Owned by the store; usable from any thread. Two generations instead of an order of use: when the younger is full, the older is
/// dropped whole, so that every step takes constant time.
final class ExpiringCache<Key: Hashable & Sendable, Value: Sendable>: Sendable {
  private struct Entry: Sendable {
    let value: Value
    let expiresAt: ContinuousClock.Instant
  }

  private struct Generations: Sendable {
    var younger: [Key: Entry] = [:]
    var older: [Key: Entry] = [:]
  }

  private let generations = Lock(Generations())
  private let lifetime: Duration
  private let generationSize: Int

  /// Holds at most `capacity` entries, each for `lifetime`.
  init(capacity: Int, lifetime: Duration) {
    generationSize = max(1, capacity / 2)
    self.lifetime = lifetime
  }

  func value(for key: Key, at now: ContinuousClock.Instant = .now) -> Value? {
    generations.withLock { generations in
      guard let entry = generations.younger[key] ?? generations.older[key], now < entry.expiresAt else { return nil }
      return entry.value
    }
  }

  func insert(_ value: Value, for key: Key, at now: ContinuousClock.Instant = .now) {
    generations.withLock { generations in
      if generations.younger.count >= generationSize {
        generations.older = generations.younger
        generations.younger = [:]
      }
      generations.younger[key] = Entry(value: value, expiresAt: now + lifetime)
    }
  }

  func remove(_ key: Key) {
    generations.withLock { generations in
      generations.younger[key] = nil
      generations.older[key] = nil
    }
  }
}

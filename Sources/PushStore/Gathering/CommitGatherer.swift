internal import Postgres
internal import ServiceKit

/// Commits many callers' items together: while one transaction of a key (an app) is under way, what arrives for that key waits, and
/// then goes as one. Nothing waits when nothing is under way, so there is no timer: an unloaded call commits at once, and
/// under load the groups grow by themselves.
///
/// Owned by the store; usable from any task. Keys take turns; the queue is bounded; each caller is answered exactly once, after its
/// commit. Ends with ``stop()``, which lets what was taken in be committed.
final class CommitGatherer<Key: Hashable & Sendable, Item: Sendable, Output: Sendable>: Sendable {
  /// One answer for each item, in their order; throws when none of them was committed.
  typealias Commit = @Sendable (Key, [Item]) async throws -> [Result<Output, any Error>]

  private let state: Lock<GatheringState<Key, GatheredItem<Item, Output>>>
  private let commit: Commit

  init(_ limits: GatheringLimits, commit: @escaping Commit) {
    state = Lock(GatheringState(limits))
    self.commit = commit
  }

  /// Returns after the commit that holds the item. A caller's cancellation does not take the item back.
  func submit(_ item: Item, for key: Key) async throws -> Output {
    try await withCheckedThrowingContinuation { continuation in
      let waiter = GatheredItem(item: item, continuation: continuation)
      let answer = state.withLock { $0.accept(waiter, for: key) }
      switch answer {
      case .refused(let code): continuation.resume(throwing: StoreError(code))
      case .queued: break
      case .start(let group): Task { await run(group) }
      }
    }
  }

  /// Refuses what comes from now on and returns when everything taken in is answered.
  func stop() async {
    await withCheckedContinuation { continuation in
      let isIdle = state.withLock { $0.stop(notifying: continuation) }
      if isIdle { continuation.resume() }
    }
  }

  /// Items that wait for a commit now.
  var queued: Int { state.withLock { $0.waiting } }
  var isStopped: Bool { state.withLock { $0.isStopped } }

  private func run(_ first: GatheredGroup<Key, GatheredItem<Item, Output>>) async {
    var next: GatheredGroup<Key, GatheredItem<Item, Output>>? = first
    while let group = next {
      let results = await results(of: group.items.map(\.item), for: group.key)
      for (waiter, result) in zip(group.items, results) { waiter.continuation.resume(with: result) }
      let follow = state.withLock { $0.finish(group.key) }
      for extra in follow.extra { Task { await run(extra) } }
      for continuation in follow.drained { continuation.resume() }
      next = follow.next
    }
  }

  private func results(of items: [Item], for key: Key) async -> [Result<Output, any Error>] {
    do {
      return checked(try await commit(key, items), count: items.count)
    } catch {
      let isOurs = (error as? PostgresError)?.isUnavailable ?? (error is StoreError)
      guard items.count > 1, !isOurs else { return items.map { _ in .failure(error) } }
    }
    // One of them is at fault and must not take the others with it.
    var results: [Result<Output, any Error>] = []
    results.reserveCapacity(items.count)
    for item in items {
      do {
        results += checked(try await commit(key, [item]), count: 1)
      } catch {
        results.append(.failure(error))
      }
    }
    return results
  }

  private func checked(_ results: [Result<Output, any Error>], count: Int) -> [Result<Output, any Error>] {
    precondition(results.count == count, "a commit answers each of its items")
    return results
  }
}

struct GatheredItem<Item: Sendable, Output: Sendable>: Sendable {
  let item: Item
  let continuation: CheckedContinuation<Output, any Error>
}

import Postgres
import ServiceKit
import Testing

@testable import PushStore

/// A commit that waits until it is let go, and notes what it was given.
private actor ScriptedCommit {
  private(set) var groups: [[Int]] = []
  private var gate: [CheckedContinuation<Void, Never>] = []
  private var isOpen: Bool
  private var arrivals: [(count: Int, CheckedContinuation<Void, Never>)] = []

  init(isOpen: Bool) { self.isOpen = isOpen }

  func commit(_ items: [Int]) async throws -> [Result<Int, any Error>] {
    groups.append(items)
    for arrival in arrivals where groups.count >= arrival.count { arrival.1.resume() }
    arrivals.removeAll { groups.count >= $0.count }
    if !isOpen { await withCheckedContinuation { gate.append($0) } }
    guard !items.contains(666) else { throw Poison() }
    return items.map { .success($0 * 2) }
  }

  func open() {
    isOpen = true
    for waiter in gate { waiter.resume() }
    gate = []
  }

  func arrived(_ count: Int) async {
    guard groups.count < count else { return }
    await withCheckedContinuation { arrivals.append((count, $0)) }
  }
}

private struct Poison: Error {}

@Suite struct CommitGathererTests {
  private func make(
    _ limits: GatheringLimits, _ script: ScriptedCommit
  ) -> CommitGatherer<String, Int, Int> {
    CommitGatherer(limits) { _, items in try await script.commit(items) }
  }

  /// Submits in order: each item is in the queue before the next one comes.
  private func submit(
    _ items: [Int], to gatherer: CommitGatherer<String, Int, Int>, key: String = "a"
  ) -> Task<[Int], any Error> {
    Task {
      try await withThrowingTaskGroup(of: Int.self) { group in
        for item in items { group.addTask { try await gatherer.submit(item, for: key) } }
        return try await group.reduce(into: []) { $0.append($1) }.sorted()
      }
    }
  }

  @Test func aLoneItemIsCommittedAtOnce() async throws {
    let script = ScriptedCommit(isOpen: true)
    #expect(try await make(GatheringLimits(), script).submit(4, for: "a") == 8)
    #expect(await script.groups == [[4]])
  }

  @Test func whatArrivesDuringACommitGoesTogetherAfterwards() async throws {
    let script = ScriptedCommit(isOpen: false)
    let gatherer = make(GatheringLimits(), script)
    let first = submit([1], to: gatherer)
    await script.arrived(1)
    let rest = submit(Array(2...50), to: gatherer)
    await gatherer.waitUntilQueued(49)
    await script.open()
    #expect(try await first.value == [2])
    #expect(try await rest.value.count == 49)
    #expect(await script.groups.map(\.count) == [1, 49])
  }

  @Test func groupsAreBounded() async throws {
    let script = ScriptedCommit(isOpen: false)
    let gatherer = make(GatheringLimits(group: 10), script)
    let first = submit([1], to: gatherer)
    await script.arrived(1)
    let rest = submit(Array(2...26), to: gatherer)
    await gatherer.waitUntilQueued(25)
    await script.open()
    _ = try await (first.value, rest.value)
    #expect(await script.groups.map(\.count) == [1, 10, 10, 5])
  }

  @Test func aBusyKeyDoesNotHoldUpAnother() async throws {
    let script = ScriptedCommit(isOpen: false)
    let gatherer = make(GatheringLimits(commits: 2), script)
    let first = submit([1], to: gatherer)
    await script.arrived(1)
    let other = submit([2], to: gatherer, key: "b")
    await script.arrived(2)
    await script.open()
    _ = try await (first.value, other.value)
  }

  @Test func aPoisonedItemDoesNotSinkTheOthers() async throws {
    let script = ScriptedCommit(isOpen: false)
    let gatherer = make(GatheringLimits(), script)
    let first = submit([1], to: gatherer)
    await script.arrived(1)
    let good = submit([2, 3, 4], to: gatherer)
    let bad = submit([666], to: gatherer)
    await gatherer.waitUntilQueued(4)
    await script.open()
    #expect(try await first.value == [2])
    #expect(try await good.value == [4, 6, 8])
    await #expect(throws: Poison.self) { try await bad.value }
  }

  @Test func aFullQueueRefuses() async throws {
    let script = ScriptedCommit(isOpen: false)
    let gatherer = make(GatheringLimits(waiting: 2), script)
    let first = submit([1], to: gatherer)
    await script.arrived(1)
    let rest = submit([2, 3], to: gatherer)
    await gatherer.waitUntilQueued(2)
    await #expect(throws: StoreError(.overloaded)) { try await gatherer.submit(4, for: "a") }
    await script.open()
    _ = try await (first.value, rest.value)
  }

  @Test func stoppingCommitsWhatWasTakenInAndRefusesTheRest() async throws {
    let script = ScriptedCommit(isOpen: false)
    let gatherer = make(GatheringLimits(), script)
    let first = submit([1], to: gatherer)
    await script.arrived(1)
    let rest = submit([2, 3], to: gatherer)
    await gatherer.waitUntilQueued(2)
    let stop = Task { await gatherer.stop() }
    await gatherer.waitUntilStopped()
    await #expect(throws: StoreError(.stopped)) { try await gatherer.submit(4, for: "a") }
    await script.open()
    await stop.value
    #expect(try await first.value == [2])
    #expect(try await rest.value == [4, 6])
  }
}

extension CommitGatherer {
  fileprivate func waitUntilQueued(_ count: Int) async { while queued < count { await Task.yield() } }
  fileprivate func waitUntilStopped() async { while !isStopped { await Task.yield() } }
}

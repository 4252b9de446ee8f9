internal import ServiceKit

/// Everything one environment remembers, and who waits for it to change.
///
/// Owned by its host and shared by the host's connections; usable from any thread. One lock, held for microseconds; whoever
/// waits is resumed after it has been let go. ``stop()`` ends all waiting.
final class HostBook: Sendable {
  private struct State: Sendable {
    var memory: HostMemory
    var waiters: [UInt64: Waiter] = [:]
    var waiterCount: UInt64 = 0
    var isStopped = false
  }

  private struct Waiter: Sendable {
    let isSatisfied: @Sendable (SimulatorStatistics) -> Bool
    let continuation: CheckedContinuation<Bool, Never>
  }

  private let state: Lock<State>

  init(memory: HostMemory) { state = Lock(State(memory: memory)) }

  func read<Result: Sendable>(_ body: (HostMemory) -> Result) -> Result { state.withLock { body($0.memory) } }

  /// Changes what is remembered and then resumes those whose wait it has ended.
  @discardableResult
  func change<Result: Sendable>(_ body: (inout HostMemory) -> Result) -> Result {
    let (result, satisfied) = state.withLock { state in
      let result = body(&state.memory)
      return (result, Self.takeSatisfied(&state))
    }
    for continuation in satisfied { continuation.resume(returning: true) }
    return result
  }

  private static func takeSatisfied(_ state: inout State) -> [CheckedContinuation<Bool, Never>] {
    guard !state.waiters.isEmpty else { return [] }
    let satisfied = state.waiters.filter { $0.value.isSatisfied(state.memory.statistics) }
    for id in satisfied.keys { state.waiters[id] = nil }
    return satisfied.values.map(\.continuation)
  }

  /// Returns once the counters satisfy the condition; false when the time or the task is over, or the simulator stops.
  func wait(
    within limit: Duration, until isSatisfied: @escaping @Sendable (SimulatorStatistics) -> Bool
  ) async -> Bool {
    let id = state.withLock { state in
      state.waiterCount += 1
      return state.waiterCount
    }
    let timer = Task { [self] in
      // A cancelled sleep means that the wait is over: then there is nobody left to wake.
      guard (try? await Task.sleep(for: limit)) != nil else { return }
      abandon(id)
    }
    defer { timer.cancel() }
    return await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let result = state.withLock { state -> Bool? in
          if isSatisfied(state.memory.statistics) { return true }
          if state.isStopped || Task.isCancelled { return false }
          state.waiters[id] = Waiter(isSatisfied: isSatisfied, continuation: continuation)
          return nil
        }
        if let result { continuation.resume(returning: result) }
      }
    } onCancel: {
      abandon(id)
    }
  }

  private func abandon(_ id: UInt64) {
    let waiter = state.withLock { $0.waiters.removeValue(forKey: id) }
    waiter?.continuation.resume(returning: false)
  }

  func stop() {
    let waiters = state.withLock { state in
      state.isStopped = true
      defer { state.waiters.removeAll() }
      return Array(state.waiters.values)
    }
    for waiter in waiters { waiter.continuation.resume(returning: false) }
  }
}

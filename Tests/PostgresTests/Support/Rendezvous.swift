import ServiceKit

/// Lets the first `count` arrivals wait for one another; later ones pass at once.
final class Rendezvous: Sendable {
  private struct State {
    var missing: Int
    var waiting: [CheckedContinuation<Void, Never>] = []
  }

  private let state: Lock<State>

  init(_ count: Int) { state = Lock(State(missing: count)) }

  func arrive() async {
    await withCheckedContinuation { continuation in
      let released = state.withLock { state in
        state.missing -= 1
        if state.missing > 0 {
          state.waiting.append(continuation)
          return [CheckedContinuation<Void, Never>]()
        }
        defer { state.waiting = [] }
        return state.waiting + [continuation]
      }
      for continuation in released { continuation.resume() }
    }
  }
}

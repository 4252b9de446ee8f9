internal import PushCore
internal import ServiceKit

/// The leases that a worker's runs hold, and their heartbeat. Owned by one ``DeliveryWorker``; runs add and remove theirs from any
/// thread; ends with ``abandon()``, after which runs stop insisting on writing.
final class LeaseKeeper: Sendable {
  private struct State {
    var held: [UInt64: (scope: TenantScope, leases: [BatchLease])] = [:]
    var next: UInt64 = 0
    var isAbandoned = false
  }
  private let state = Lock(State())

  var isAbandoned: Bool { state.withLock { $0.isAbandoned } }

  func abandon() { state.withLock { $0.isAbandoned = true } }

  func add(_ leases: [BatchLease], of scope: TenantScope) -> UInt64 {
    state.withLock { state in
      state.next += 1
      state.held[state.next] = (scope, leases)
      return state.next
    }
  }

  func remove(_ registration: UInt64) {
    state.withLock { _ = $0.held.removeValue(forKey: registration) }
  }

  /// One heartbeat for everything held, app by app.
  func extendAll(in queue: any DeliveryQueue, by lease: Seconds, events: WorkerEvents) async {
    let held = state.withLock { Array($0.held.values) }
    let byScope = Dictionary(grouping: held, by: \.scope).mapValues { $0.flatMap(\.leases) }
    for (scope, leases) in byScope {
      do {
        let lost = try await queue.extendLeases(of: leases, by: lease, in: scope)
        // A run that has just settled its last batch has nothing left to extend; the settlement says what was really lost.
        if !lost.isEmpty { events.heartbeatMissed(lost.count) }
      } catch {
        events.storeFailed("heartbeat", error)
      }
    }
  }
}

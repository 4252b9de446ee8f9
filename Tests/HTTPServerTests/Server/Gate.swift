/// Holds handlers until a test lets them go on, and tells the test when they have come.
actor Gate {
  private var isOpen = false
  private var arrivals = 0
  private var held: [CheckedContinuation<Void, Never>] = []
  private var watching: [(count: Int, continuation: CheckedContinuation<Void, Never>)] = []

  /// Called by a handler: returns once the gate is open.
  func pass() async {
    arrivals += 1
    let reached = watching.filter { $0.count <= arrivals }
    watching.removeAll { $0.count <= arrivals }
    for watcher in reached { watcher.continuation.resume() }
    guard !isOpen else { return }
    await withCheckedContinuation { held.append($0) }
  }

  func open() {
    isOpen = true
    let released = held
    held = []
    for continuation in released { continuation.resume() }
  }

  /// Returns once so many handlers have come.
  func arrived(_ count: Int) async {
    guard arrivals < count else { return }
    await withCheckedContinuation { watching.append((count, $0)) }
  }
}

internal import Transport

/// The connections of one host on one loop.
///
/// Owned by its host. Proof of `Sendable`: `connections` is touched on the loop's thread only, which `perform` sees to.
final class HostLane: @unchecked Sendable {
  let loop: EventLoop
  private var connections: [UInt64: SimulatedConnection] = [:]

  init(loop: EventLoop) { self.loop = loop }

  /// On the loop's thread.
  func add(_ connection: SimulatedConnection) {
    loop.preconditionIsCurrent()
    connections[connection.number] = connection
  }

  func remove(_ connection: SimulatedConnection) {
    loop.preconditionIsCurrent()
    connections[connection.number] = nil
  }

  /// Does something to one connection, or to all; from any thread, in the order of the calls.
  func perform(on number: UInt64? = nil, _ body: @escaping @Sendable (SimulatedConnection) -> Void) {
    loop.execute { [self] in
      // A copy: a connection may leave while it is being asked.
      for connection in connections.values where number == nil || number == connection.number { body(connection) }
    }
  }

  /// Returns when everything asked for before has been done.
  func settle() async {
    await withCheckedContinuation { continuation in
      loop.execute { continuation.resume() }
    }
  }
}

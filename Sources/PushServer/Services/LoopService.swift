internal import ServiceKit
internal import Transport

/// The event loops of a process: some for the API, one for Apple. Their threads end with `stop()`.
final class LoopService: Service {
  let name = "loops"
  let api: [EventLoop]
  let apns: EventLoop

  /// - Parameter apiLoops: more than two gain nothing on small machines: the database is busy first.
  init(apiLoops: Int) {
    api = (0..<apiLoops).map { EventLoop(name: "api-\($0)") }
    apns = EventLoop(name: "apns")
  }

  func start() async throws {}

  func stop() async -> Bool {
    for loop in api + [apns] { await loop.shutDown() }
    return true
  }
}

internal import CLibPQ
internal import CLinux
internal import Glibc

/// The listener's thread.
///
/// Made by `NotificationListener`; keeps itself alive until its interrupt is aborted.
final class ListenerWorker: Sendable {
  let interrupt: Interrupt
  let continuation: AsyncStream<NotificationEvent>.Continuation
  private let channels: [String]
  private let configuration: ListenerConfiguration

  init(
    _ channels: [String], _ configuration: ListenerConfiguration,
    _ continuation: AsyncStream<NotificationEvent>.Continuation, _ interrupt: Interrupt
  ) {
    self.channels = channels
    self.configuration = configuration
    self.continuation = continuation
    self.interrupt = interrupt
  }

  func startThread() throws(PostgresError) {
    let context = Unmanaged.passRetained(self)
    var thread = pthread_t()
    guard pthread_create(&thread, nil, { runListener($0) }, context.toOpaque()) == 0 else {
      context.release()
      throw PostgresError(.limitExceeded, reason: "no thread for a listener")
    }
    pthread_detach(thread)
  }

  fileprivate func run() {
    var failures = 0
    var hasConnected = false
    while !interrupt.isAborted {
      do {
        let session = try ServerSession(connecting: configuration.connection, interrupt: interrupt)
        try listen(session)
        continuation.yield(hasConnected ? .reconnected : .connected)
        hasConnected = true
        failures = 0
        try receive(session)
      } catch {
        // Whatever the reason, the way out is a new connection; the consumer learns of it by `reconnected`.
        failures += 1
        pause(afterFailures: failures)
      }
    }
    continuation.finish()
  }

  private func listen(_ session: ServerSession) throws {
    let script = channels.map { "LISTEN \"\($0.replacing("\"", with: "\"\""))\"" }.joined(separator: "; ")
    var operation = session.beginOperation(deadline: .now + configuration.heartbeatTimeout)
    _ = try session.run(script: script, &operation)
  }

  /// Reports notifications until the link fails or the listener is stopped.
  private func receive(_ session: ServerSession) throws {
    var nextHeartbeat = ContinuousClock.now + configuration.heartbeatInterval
    while true {
      report(session)
      guard try session.waitForInput(until: nextHeartbeat) else {
        try heartbeat(session)
        nextHeartbeat = .now + configuration.heartbeatInterval
        continue
      }
    }
  }

  private func report(_ session: ServerSession) {
    var hasOverflowed = false
    while let notification = session.nextNotification() {
      if case .dropped = continuation.yield(notification) { hasOverflowed = true }
    }
    if hasOverflowed { continuation.yield(.overflowed) }
  }

  /// A half-open link looks like a silent one; only an answer tells them apart.
  private func heartbeat(_ session: ServerSession) throws {
    var operation = session.beginOperation(deadline: .now + configuration.heartbeatTimeout)
    _ = try session.run(script: "SELECT 1", &operation)
  }

  /// Doubled each time up to the maximum, half of it random, so that many processes do not come back at one moment.
  private func pause(afterFailures failures: Int) {
    let doubled = configuration.initialBackoff * (1 << min(failures - 1, 16))
    let deadline = ContinuousClock.now + min(doubled, configuration.maximumBackoff) * Double.random(in: 0.5...1)
    while !interrupt.isAborted, let timeout = deadline.pollTimeout {
      var descriptor = pollfd(fd: interrupt.descriptor, events: Int16(POLLIN), revents: 0)
      if poll(&descriptor, 1, timeout) > 0 { interrupt.drain() }
    }
  }
}

private func runListener(_ context: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
  pthread_setname_np(pthread_self(), "postgres-listen")
  Unmanaged<ListenerWorker>.fromOpaque(context!).takeRetainedValue().run()
  return nil
}

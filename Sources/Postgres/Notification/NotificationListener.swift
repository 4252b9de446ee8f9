internal import Glibc
internal import ServiceKit

/// Listens to channels on a connection of its own, for as long as it lives.
///
/// Owned by who made it; its thread connects, listens, checks the link and reconnects. `events` is for one consumer. It
/// ends with `stop()`, with the consumer's loop, or when the last reference goes; the thread follows at once, or after
/// `connectTimeout` when it is connecting.
package final class NotificationListener: Sendable {
  package let events: AsyncStream<NotificationEvent>
  private let worker: ListenerWorker

  package init(_ channels: [String], configuration: ListenerConfiguration) throws {
    let (stream, continuation) = AsyncStream.makeStream(
      of: NotificationEvent.self, bufferingPolicy: .bufferingNewest(configuration.bufferedEvents))
    events = stream
    worker = ListenerWorker(channels, configuration, continuation, try Interrupt())
    let interrupt = worker.interrupt
    continuation.onTermination = { _ in interrupt.abort() }
    try worker.startThread()
  }

  deinit { stop() }

  package func stop() {
    worker.interrupt.abort()
    worker.continuation.finish()
  }
}

/// A value.
package struct ListenerConfiguration: Sendable {
  package var connection: ConnectionConfiguration
  /// How often an otherwise silent link is tried with a statement.
  package var heartbeatInterval = Duration.seconds(15)
  /// How long the answer may take before the link counts as dead.
  package var heartbeatTimeout = Duration.seconds(5)
  package var initialBackoff = Duration.milliseconds(100)
  package var maximumBackoff = Duration.seconds(10)
  /// Events not yet taken; older ones are dropped, and `overflowed` says so.
  package var bufferedEvents = 1024

  package init(connection: ConnectionConfiguration) {
    self.connection = connection
  }
}

package import HTTP

/// What one server allows and how it answers by itself. A plain value, read once at start.
package struct ServerConfiguration: Sendable {
  package struct Timeouts: Sendable {
    /// From the first byte of a request to its last; beyond it 408 and the end of the connection.
    package var request = Duration.seconds(30)
    /// Without a request; beyond it the connection is closed silently.
    package var idle = Duration.seconds(75)
    /// While the client takes nothing of an answer that waits; beyond it the connection is closed.
    package var write = Duration.seconds(30)
    /// From the start of the handler to its answer; beyond it 503, and the handler's task is cancelled. Nil: no limit.
    package var handler: Duration?
    package var handshake = Duration.seconds(10)

    package init() {}
  }

  package var limits = RequestLimits()
  package var timeouts = Timeouts()
  /// Of each address; further connections wait in the kernel.
  package var maximumConnections = 10_000
  /// Handlers running at once on each loop, those of clients that left included; beyond it 503.
  package var maximumRequestsInFlight = 1_024
  /// Streams of one HTTP/2 connection at once.
  package var maximumConcurrentStreams = 100
  /// The limit of a body where it differs from `limits.body`, decided when the head is known.
  package var bodyLimit: @Sendable (HTTPRequestHead) -> Int? = { _ in nil }
  /// Renders what the server answers by itself. Called on a loop: it must not block.
  package var errorBody: @Sendable (Refusal) -> HTTPResponse = { $0.problem }
  /// The value of the `Server` field: a product name without version.
  package var name = "bolrach"

  package init() {}
}

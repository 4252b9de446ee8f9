/// Opens TCP or TLS connections to a named host.
///
/// A plain value; each `connect` runs on the loop it is called on and looks the name up afresh.
package struct Connector: Sendable {
  package var loop: EventLoop
  /// Nil connects in clear.
  package var tls: TLSClientContext?
  /// Of each channel, in bytes.
  package var maximumOutput = 1 << 20
  private let resolver: Resolver

  package init(loop: EventLoop, tls: TLSClientContext?, resolver: Resolver = Resolver()) {
    self.loop = loop
    self.tls = tls
    self.resolver = resolver
  }

  /// Looks up, connects (trying one address after the other) and shakes hands within `timeout`, all together.
  ///
  /// On the loop's thread. `completion` is called exactly once, on the loop's thread; it must `start` the channel before it
  /// returns, or the channel is closed. The attempt needs no owner; keep it only to be able to cancel.
  @discardableResult
  package func connect(
    to host: String, port: UInt16, within timeout: Duration,
    completion: @escaping (Result<Channel, TransportError>) -> Void
  ) -> ConnectAttempt {
    loop.preconditionIsCurrent()
    let attempt = ConnectAttempt(
      loop: loop, host: host, security: tls.map { .client($0, host: host) } ?? .none,
      maximumOutput: maximumOutput, completion: completion)
    attempt.begin(port: port, within: timeout, resolver: resolver)
    return attempt
  }
}

/// A TLS handshake under way: how long it may take, what has to be agreed on, and who wants to know.
///
/// Owned by its channel until it ends, once.
final class Establishment {
  /// Nil: any protocol will do, also none.
  let requiredProtocols: ProtocolList?
  private var completion: ((Result<Channel, TransportError>) -> Void)?
  private var timer: LoopTimer?

  init(
    requiredProtocols: ProtocolList?, completion: @escaping (Result<Channel, TransportError>) -> Void
  ) {
    self.requiredProtocols = requiredProtocols
    self.completion = completion
  }

  func limit(_ channel: Channel, to duration: Duration) {
    timer = channel.loop.schedule(after: duration) { [unowned channel] in
      channel.close(error: TransportError(.deadlineExceeded, "TLS handshake"))
    }
  }

  func end(_ result: Result<Channel, TransportError>) {
    timer?.cancel()
    timer = nil
    let completion = completion.take()
    completion?(result)
  }

  /// The error to fail with, given what the handshake agreed on.
  func objection(to negotiated: String?) -> TransportError? {
    guard let requiredProtocols else { return nil }
    guard let negotiated else { return TransportError(.noProtocolNegotiated) }
    guard requiredProtocols.names.contains(negotiated) else {
      // The name comes from the peer, so its length is all that is repeated.
      return TransportError(.wrongProtocol, "the peer chose a protocol that was not offered")
    }
    return nil
  }
}

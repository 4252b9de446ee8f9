internal import CLinux
internal import Glibc
internal import Synchronization

/// Accepts TCP connections on one address and hands them to its loops in turn, after the TLS handshake if there is one.
///
/// Bound by `bind`, usable from any thread. The first loop accepts; each loop serves its own channels. Ends with
/// `stopAccepting()` or with its first loop; channels already handed out go on.
package final class Listener: Sendable {
  package enum Sharing: Sendable {
    case exclusive
    /// Several processes may listen on the same address and port (`SO_REUSEPORT`); the kernel spreads connections.
    case amongProcesses
  }

  package struct Configuration: Sendable {
    package var tls: TLSServerContext?
    package var sharing = Sharing.exclusive
    /// Further connections wait in the kernel until one closes.
    package var maximumConnections = 10_000
    package var backlog: Int32 = 1024
    package var handshakeTimeout = Duration.seconds(10)
    /// Of each channel, in bytes.
    package var maximumOutput = 1 << 20

    package init(tls: TLSServerContext? = nil) { self.tls = tls }
  }

  /// The bound address, with the port the kernel chose if it was 0.
  package let address: SocketAddress
  private let acceptor: LoopBound<Acceptor>
  private let loop: EventLoop

  /// Connections refused or not completed by the peer are not reported. `onAccept` is called on the channel's loop and
  /// must call `channel.start(_:)` before it returns, or the channel is closed.
  package static func bind(
    to address: SocketAddress, loops: [EventLoop], configuration: Configuration = Configuration(),
    onAccept: @escaping @Sendable (Channel) -> Void
  ) async throws(TransportError) -> Listener {
    precondition(!loops.isEmpty, "a listener needs a loop")
    let result: Result<Listener, TransportError> = await withCheckedContinuation { continuation in
      loops[0].execute {
        continuation.resume(
          returning: Result { () throws(TransportError) in
            try Listener(address, loops: loops, configuration: configuration, onAccept: onAccept)
          })
      }
    }
    return try result.get()
  }

  /// On the first loop's thread.
  private init(
    _ address: SocketAddress, loops: [EventLoop], configuration: Configuration,
    onAccept: @escaping @Sendable (Channel) -> Void
  ) throws(TransportError) {
    let socket = try Self.open(address, configuration)
    self.address = socket.localAddress() ?? address
    loop = loops[0]
    let acceptor = Acceptor(taking: socket, loops: loops, configuration: configuration, onAccept: onAccept)
    try acceptor.start()
    self.acceptor = LoopBound(acceptor, loop: loop)
  }

  /// Returns when the listening socket is closed. Connections whose handshake has begun are still handed out.
  package func stopAccepting() async {
    await withCheckedContinuation { continuation in
      loop.execute { [acceptor] in
        acceptor.value.stop()
        continuation.resume()
      }
    }
  }

  private static func open(
    _ address: SocketAddress, _ configuration: Configuration
  ) throws(TransportError) -> Socket {
    let socket = try Socket(for: address.family)
    socket.set(SOL_SOCKET, SO_REUSEADDR, 1)
    switch configuration.sharing {
    case .exclusive: break
    case .amongProcesses: socket.set(SOL_SOCKET, SO_REUSEPORT, 1)
    }
    let descriptor = socket.descriptor
    guard address.withSystemAddress({ Glibc.bind(descriptor, $0, $1) }) == 0,
      listen(descriptor, configuration.backlog) == 0
    else { throw TransportError(.bindFailed, "\(address): \(String(cString: strerror(errno)))") }
    return socket
  }
}

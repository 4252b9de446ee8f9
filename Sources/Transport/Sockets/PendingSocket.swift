internal import CLinux
internal import Glibc

/// A TCP connection being made to one address. On its loop's thread; ends once: connected, failed or cancelled.
final class PendingSocket: EventSource {
  /// A box, because a move-only socket does not fit into a `Result`.
  final class Connected {
    private var socket: Socket?
    init(taking socket: consuming Socket) { self.socket = consume socket }
    /// Once.
    func takeSocket() -> Socket {
      guard let socket = socket.take() else { preconditionFailure("taken twice") }
      return socket
    }
  }

  private let loop: EventLoop
  private let address: SocketAddress
  private var completion: ((Result<Connected, TransportError>) -> Void)?
  private var socket: Socket?
  private var id: ChannelID?
  private var timer: LoopTimer?

  init(
    loop: EventLoop, address: SocketAddress, completion: @escaping (Result<Connected, TransportError>) -> Void
  ) {
    self.loop = loop
    self.address = address
    self.completion = completion
  }

  func begin(within timeout: Duration) {
    do throws(TransportError) {
      let socket = try Socket(for: address.family)
      let descriptor = socket.descriptor
      self.socket = consume socket
      let status = address.withSystemAddress { connect(descriptor, $0, $1) }
      guard status == 0 || errno == EINPROGRESS else { throw .system("connect") }
      id = loop.register(self, descriptor: descriptor, [.writable, .edgeTriggered])
      guard id != nil else { throw TransportError(.loopStopped) }
    } catch {
      return end(.failure(error))
    }
    timer = loop.schedule(after: timeout) { [self] in
      end(.failure(TransportError(.deadlineExceeded, "\(address)")))
    }
  }

  /// Forgets the connection without a word.
  func cancel() {
    completion = nil
    end(.failure(TransportError(.cancelled)))
  }

  func loopStopped() {
    id = nil
    end(.failure(TransportError(.loopStopped)))
  }

  func ready(_ events: Poller.Interest) {
    guard let number = socket?.pendingError() else { return }
    guard number == 0 else { return end(.failure(.system("connect", number))) }
    if let id = id.take() { loop.deregister(id) }
    guard let socket = socket.take() else { return }
    end(.success(Connected(taking: socket)))
  }

  private func end(_ result: Result<Connected, TransportError>) {
    timer?.cancel()
    timer = nil
    if let id = id.take() { loop.deregister(id) }
    socket = nil
    let completion = completion.take()
    completion?(result)
  }
}

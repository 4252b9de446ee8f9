internal import CLinux
internal import Glibc
internal import Synchronization

/// The loop-side half of a `Listener`: the listening socket and the count of its connections.
///
/// Owned by its listener and registered with the first loop, on whose thread everything but the count is used.
final class Acceptor: EventSource {
  /// Connections of all loops of the listener.
  final class Census: Sendable {
    let count = Atomic<Int>(0)
  }

  private let loops: [EventLoop]
  private let configuration: Listener.Configuration
  private let onAccept: @Sendable (Channel) -> Void
  private var socket: Socket?
  private var id: ChannelID?
  private var nextLoop = 0
  private var census = Census()
  private var isPaused = false
  private var retryTimer: LoopTimer?

  /// Long enough for descriptors to come back, short enough not to be noticed by people.
  private static let retryDelay = Duration.milliseconds(100)
  /// Accepted per event, so that a connection storm does not starve the channels.
  private static let acceptsPerEvent = 64

  init(
    taking socket: consuming Socket, loops: [EventLoop], configuration: Listener.Configuration,
    onAccept: @escaping @Sendable (Channel) -> Void
  ) {
    self.loops = loops
    self.configuration = configuration
    self.onAccept = onAccept
    self.socket = consume socket
  }

  private var loop: EventLoop { loops[0] }
  private var descriptor: Int32 { socket?.descriptor ?? -1 }

  func start() throws(TransportError) {
    id = loop.register(self, descriptor: descriptor, .readable)
    guard id != nil else { throw TransportError(.loopStopped) }
  }

  func stop() {
    retryTimer?.cancel()
    if let id = id.take() { loop.deregister(id) }
    socket = nil
  }

  func loopStopped() {
    id = nil
    socket = nil
  }

  func ready(_ events: Poller.Interest) {
    for _ in 0..<Self.acceptsPerEvent {
      guard socket != nil else { return }
      guard census.count.load(ordering: .relaxed) < configuration.maximumConnections else { return pause() }
      let accepted = accept4(
        descriptor, nil, nil, Int32(SOCK_NONBLOCK.rawValue) | Int32(SOCK_CLOEXEC.rawValue))
      guard accepted >= 0 else {
        if acceptFailed(errno) { continue }
        return
      }
      census.count.add(1, ordering: .relaxed)
      hand(over: Socket(taking: accepted))
    }
  }

  /// True if the next connection may be tried at once.
  private func acceptFailed(_ number: Int32) -> Bool {
    switch number {
    case EAGAIN: return false
    // The listening socket stays readable while descriptors or memory are short: wait instead of spinning.
    case EMFILE, ENFILE, ENOBUFS, ENOMEM:
      pause()
      return false
    // Whatever happened to a connection before it was accepted is that connection's business.
    default: return true
    }
  }

  private func pause() {
    guard let id, !isPaused else { return }
    isPaused = true
    loop.change(id, [])
    retryTimer = loop.schedule(after: Self.retryDelay) { [weak self] in self?.resume() }
  }

  private func resume() {
    isPaused = false
    guard let id else { return }
    loop.change(id, .readable)
  }

  private func hand(over socket: consuming Socket) {
    let target = loops[nextLoop]
    nextLoop = (nextLoop + 1) % loops.count
    if target === loop {
      return Self.establish(on: target, taking: socket, configuration, census, onAccept)
    }
    let parcel = Parcel(taking: socket)
    target.execute { [configuration, census, onAccept] in
      guard let socket = parcel.take() else { return }
      Self.establish(on: target, taking: socket, configuration, census, onAccept)
    }
  }

  /// Carries a socket to another loop. Proof of `Sendable`: filled before it is sent, emptied once by its receiver.
  private final class Parcel: @unchecked Sendable {
    private var socket: Socket?
    init(taking socket: consuming Socket) { self.socket = consume socket }
    func take() -> Socket? { socket.take() }
  }

  private static func establish(
    on loop: EventLoop, taking socket: consuming Socket, _ configuration: Listener.Configuration,
    _ census: Census, _ onAccept: @escaping @Sendable (Channel) -> Void
  ) {
    Channel.establish(
      on: loop, taking: socket, security: configuration.tls.map { .server($0) } ?? .none,
      configuration: Channel.Configuration(
        maximumOutput: configuration.maximumOutput, handshakeTimeout: configuration.handshakeTimeout)
    ) { result in
      switch result {
      case .failure: census.count.subtract(1, ordering: .relaxed)
      case .success(let channel):
        channel.observeClose { census.count.subtract(1, ordering: .relaxed) }
        onAccept(channel)
      }
    }
  }
}

internal import Glibc

extension Channel {
  struct Configuration {
    var maximumOutput: Int
    var handshakeTimeout: Duration
  }

  enum Security {
    case none
    case client(TLSClientContext, host: String)
    case server(TLSServerContext)

    var requiredProtocols: ProtocolList? {
      switch self {
      case .none: nil
      case .client(let context, _): context.protocols.isEmpty ? nil : context.protocols
      // `imposed` plays a broken peer and must not object to itself.
      case .server(let context): context.policy == .required ? context.protocols : nil
      }
    }
  }

  /// Takes a connected socket, shakes hands if `security` asks for it, and hands out the channel or the error; exactly one
  /// of them, on the loop's thread, possibly before this call returns. A channel that `completion` does not start is
  /// closed.
  static func establish(
    on loop: EventLoop, taking socket: consuming Socket, security: Security, configuration: Configuration,
    completion: @escaping (Result<Channel, TransportError>) -> Void
  ) {
    let address = socket.peerAddress()
    let descriptor = socket.descriptor
    socket.configureStream()
    let stream: ByteStream
    do throws(TransportError) {
      stream = try ByteStream(taking: socket, security: security)
    } catch {
      return completion(.failure(error))
    }
    let channel = Channel(
      loop: loop, stream: stream, remoteAddress: address, maximumOutput: configuration.maximumOutput,
      phase: .handshaking)
    let interest: Poller.Interest = [.readable, .writable, .peerEnded, .edgeTriggered]
    guard let id = loop.register(channel, descriptor: descriptor, interest) else {
      return completion(.failure(TransportError(loop.isAcceptingSources ? .system : .loopStopped, "register")))
    }
    channel.id = id
    let establishment = Establishment(requiredProtocols: security.requiredProtocols, completion: completion)
    channel.establishment = establishment
    establishment.limit(channel, to: configuration.handshakeTimeout)
    channel.continueHandshake()
  }

  func continueHandshake() {
    switch stream.handshake() {
    case .wouldBlock: return
    case .failed(let error): return close(error: error)
    case .done: break
    }
    negotiatedProtocol = stream.negotiatedProtocol()
    if let objection = establishment?.objection(to: negotiatedProtocol) { return close(error: objection) }
    phase = .open
    let establishment = establishment.take()
    establishment?.end(.success(self))
    if handler == nil { close() }
  }
}

extension ByteStream {
  init(taking socket: consuming Socket, security: Channel.Security) throws(TransportError) {
    switch security {
    case .none: self = .plain(socket)
    case .client(let context, let host):
      self = .secured(try TLSSession(client: context, host: host, taking: socket))
    case .server(let context): self = .secured(try TLSSession(server: context, taking: socket))
    }
  }

  func handshake() -> TLSSession.HandshakeOutcome {
    switch self {
    case .plain: .done
    case .secured(let session): session.handshake()
    case .closed: .failed(TransportError(.cancelled))
    }
  }

  func negotiatedProtocol() -> String? {
    switch self {
    case .plain: nil
    case .closed: nil
    case .secured(let session): session.negotiatedProtocol()
    }
  }
}

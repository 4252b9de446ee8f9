package import HTTP
package import Transport

/// An HTTP server: listens on its addresses and answers every request by calling one handler.
///
/// Plain addresses speak HTTP/1; under TLS the client chooses between HTTP/2 and HTTP/1 by ALPN. Connections are spread
/// over the given loops, and each request runs in a task of its own on the loop of its connection, so a handler must not
/// block. Started by the composition root; it ends by `drain`, at the latest with its loops. Usable from any thread.
package final class Server: Sendable {
  /// Where to listen; with an identity under TLS.
  package struct Endpoint: Sendable {
    package let address: SocketAddress
    package let identity: TLSIdentity?
    package let sharing: Listener.Sharing

    package init(_ address: SocketAddress, identity: TLSIdentity? = nil, sharing: Listener.Sharing = .exclusive) {
      self.address = address
      self.identity = identity
      self.sharing = sharing
    }
  }

  private let listeners: [Listener]
  private let groups: [ConnectionGroup]

  private init(listeners: [Listener], groups: [ConnectionGroup]) {
    self.listeners = listeners
    self.groups = groups
  }

  /// In the order of the endpoints, with the ports that the kernel chose.
  package var addresses: [SocketAddress] { listeners.map(\.address) }

  /// Throws if one address cannot be bound or one identity cannot be used; then no address is listened on.
  package static func start(
    on endpoints: [Endpoint], loops: [EventLoop], configuration: ServerConfiguration = ServerConfiguration(),
    handler: @escaping @Sendable (HTTPRequest) async -> HTTPResponse
  ) async throws(TransportError) -> Server {
    let groups = loops.map { ConnectionGroup(loop: $0, configuration: configuration, handler: handler) }
    var listeners: [Listener] = []
    do throws(TransportError) {
      for endpoint in endpoints {
        let isSecure = endpoint.identity != nil
        let listener = try await Listener.bind(
          to: endpoint.address, loops: loops, configuration: try listening(endpoint, configuration)
        ) { channel in
          // One group per loop, few loops.
          for group in groups where group.loop === channel.loop { group.accept(channel, isSecure: isSecure) }
        }
        listeners.append(listener)
      }
    } catch {
      for listener in listeners { await listener.stopAccepting() }
      throw error
    }
    return Server(listeners: listeners, groups: groups)
  }

  /// Stops accepting, answers the requests under way and closes each connection after its answer, idle ones at once.
  /// Returns when all are closed and all handlers have returned, or after `time` with what is left cut off.
  package func drain(within time: Duration) async -> DrainOutcome {
    for listener in listeners { await listener.stopAccepting() }
    return await withTaskGroup(of: DrainOutcome.self) { tasks in
      for group in groups { tasks.addTask { await group.drain(within: time) } }
      return await tasks.reduce(.clean) { $0.joined(with: $1) }
    }
  }

  private static func listening(
    _ endpoint: Endpoint, _ configuration: ServerConfiguration
  ) throws(TransportError) -> Listener.Configuration {
    var listening = Listener.Configuration()
    if let identity = endpoint.identity {
      listening.tls = try TLSServerContext(identity: identity, protocols: ["http/1.1"])
    }
    listening.sharing = endpoint.sharing
    listening.maximumConnections = configuration.maximumConnections
    listening.handshakeTimeout = configuration.timeouts.handshake
    return listening
  }
}

extension ConnectionGroup {
  fileprivate func drain(within time: Duration) async -> DrainOutcome {
    await withCheckedContinuation { continuation in
      loop.execute { [self] in drain(within: time) { continuation.resume(returning: $0) } }
    }
  }
}

extension DrainOutcome {
  fileprivate func joined(with other: DrainOutcome) -> DrainOutcome {
    switch (self, other) {
    case (.clean, .clean): .clean
    case (.clean, .abandoned), (.abandoned, .clean): self == .clean ? other : self
    case (.abandoned(let one), .abandoned(let two)): .abandoned(requests: one + two)
    }
  }
}

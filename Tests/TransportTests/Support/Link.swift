@testable import Transport

/// One connection over loopback: a listener's channel and a connector's, each with a recorder, on a loop of their own.
struct Link {
  typealias Events = Mailbox<RecordingHandler.Event>

  enum Security: Sendable {
    case clear
    case tls
  }

  let loop: EventLoop
  let listener: Listener
  let server = Events()
  let client = Events()
  private(set) var serverID = ChannelID(descriptor: -1, generation: 0)
  private(set) var clientID = ChannelID(descriptor: -1, generation: 0)

  init(
    _ security: Security, server serverBehaviour: RecordingHandler.Behaviour = .record,
    client clientBehaviour: RecordingHandler.Behaviour = .record, maximumOutput: Int = 1 << 20
  ) async throws {
    loop = EventLoop(name: "link")
    var configuration = Listener.Configuration()
    configuration.maximumOutput = maximumOutput
    var trust: TLSClientContext?
    if case .tls = security {
      let authority = try CertificateAuthority()
      configuration.tls = try TLSServerContext(identity: authority.issue(), protocols: ["echo"])
      trust = try TLSClientContext(trust: .only(pem: authority.certificatePEM), protocols: ["echo"])
    }
    listener = try await Listener.bind(to: .loopback(port: 0), loops: [loop], configuration: configuration) {
      [server] channel in RecordingHandler(server, serverBehaviour).start(channel)
    }
    var connector = Connector(loop: loop, tls: trust)
    connector.maximumOutput = maximumOutput
    let failure = try await loop.open(
      connector, to: listener.address.port, client, clientBehaviour)
    if let failure { throw failure }
    clientID = try await client.channelID()
    serverID = try await server.channelID()
  }

  func close() async { await loop.shutDown() }
}

extension EventLoop {
  /// Runs `body` on the loop and returns what it returns.
  func run<Value: Sendable>(_ body: @escaping @Sendable () -> Value) async -> Value {
    await withCheckedContinuation { continuation in
      execute { continuation.resume(returning: body()) }
    }
  }

  /// Connects to loopback; the error, or nil when the channel has been started.
  func open(
    _ connector: Connector, host: String = "127.0.0.1", to port: UInt16,
    _ events: Mailbox<RecordingHandler.Event>, _ behaviour: RecordingHandler.Behaviour = .record,
    within deadline: Duration = .seconds(20)
  ) async throws -> TransportError? {
    await withCheckedContinuation { continuation in
      execute {
        connector.connect(to: host, port: port, within: deadline) { result in
          switch result {
          case .success(let channel):
            RecordingHandler(events, behaviour).start(channel)
            continuation.resume(returning: nil)
          case .failure(let error): continuation.resume(returning: error)
          }
        }
      }
    }
  }
}

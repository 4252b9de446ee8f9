internal import Crypto
internal import HTTPServer
internal import PushAPI
internal import PushCore
internal import ServiceKit
internal import Transport

/// The API on its address. Stopping it answers what is under way and closes the rest.
final class APIService: Service {
  let name = "api"
  /// The bound address, with the port that the kernel chose.
  let address = Started<SocketAddress>()
  private let settings: ServerSettings
  private let secrets: ProcessSecrets
  private let contract: [UInt8]
  private let loops: LoopService
  private let store: StoreService
  private let provider: ProviderService
  private let log: Log
  private let metrics: Metrics
  private let server = Started<Server>()

  /// A drain is bounded by the longest answer that anybody should wait for.
  private static let grace = Duration.seconds(10)

  init(
    settings: ServerSettings, secrets: ProcessSecrets, contract: [UInt8], loops: LoopService, store: StoreService,
    provider: ProviderService, log: Log, metrics: Metrics
  ) {
    self.settings = settings
    self.secrets = secrets
    self.contract = contract
    self.loops = loops
    self.store = store
    self.provider = provider
    self.log = log
    self.metrics = metrics
  }

  func start() async throws {
    guard let address = SocketAddress(numeric: settings.listen.host, port: settings.listen.port) else {
      throw StartError("BOLRACH_LISTEN must name an address in numbers, not \(settings.listen.host)")
    }
    let store = store.store.value
    let ports = APIPorts(
      tenancy: store, installations: store, messages: store, keyring: store, provider: provider.provider.value,
      inspector: provider.inspector)
    let configuration = APIConfiguration(
      operatorToken: secrets.operatorToken, cursorKey: secrets.cursorKey, contract: contract
    ) { [service = self.store] in
      await service.probe() ? .ready : .notReady("database")
    }
    let handler = APIHandler(ports: ports, configuration: configuration, log: log, metrics: metrics)
    let identity = try settings.tls.map {
      try TLSIdentity(certificateChainFile: $0.certificate, privateKeyFile: $0.key)
    }
    var serving = ServerConfiguration()
    serving.bodyLimit = { handler.bodyLimit(for: $0) }
    serving.errorBody = { handler.response(to: $0) }
    // Longer than any statement may take, so that a request ends by its cause and not by this.
    serving.timeouts.handler = .seconds(30)
    let server = try await Server.start(
      on: [Server.Endpoint(address, identity: identity)], loops: loops.api, configuration: serving
    ) { await handler.respond(to: $0) }
    self.server.set(server)
    self.address.set(server.addresses[0])
    log.info("api.listening", ["address": .text(describing: server.addresses[0])])
  }

  func stop() async -> Bool { await server.value.drain(within: Self.grace) == .clean }
}

/// The secrets of a process, read or made at its start.
struct ProcessSecrets: Sendable {
  let masterKey: Secret<[UInt8]>
  let operatorToken: Secret<String>?

  /// Signs list cursors: of the master key, so that every process over one database has the same.
  var cursorKey: Secret<[UInt8]> { Secret(HMACSHA256(key: masterKey.exposed).code(for: Array("list cursors".utf8))) }

  /// From the settings; in the private set-up from the data directory, made on the first start.
  init(_ settings: ServerSettings) throws {
    switch settings.database {
    case .external:
      guard let key = settings.masterKey else { throw StartError("there is no master key") }
      masterKey = key
      operatorToken = settings.operatorToken
    case .embedded:
      try DataDirectory.make(settings.dataDirectory)
      masterKey = try settings.masterKey ?? MasterKey.kept(in: settings.dataDirectory)
      operatorToken = try settings.operatorToken ?? MasterKey.keptOperatorToken(in: settings.dataDirectory)
    }
  }
}

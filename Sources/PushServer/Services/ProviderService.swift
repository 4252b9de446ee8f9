internal import APNs
internal import APNsSimulator
internal import Glibc
internal import PushCore
internal import ServiceKit
internal import Transport

/// Apple's push service, or the simulator in its place.
final class ProviderService: Service {
  let name = "apns"
  let provider = Started<APNsProvider>()
  let inspector = APNsCredentialInspector()
  private let settings: ServerSettings
  private let simulator: SimulatorService?
  private let loops: LoopService
  private let store: StoreService
  private let log: Log
  private let metrics: Metrics

  /// The worker has waited for its own grace before: what is still under way then is not worth more.
  private static let grace = Duration.seconds(3)

  init(
    settings: ServerSettings, simulator: SimulatorService?, loops: LoopService, store: StoreService, log: Log,
    metrics: Metrics
  ) {
    self.settings = settings
    self.simulator = simulator
    self.loops = loops
    self.store = store
    self.log = log
    self.metrics = metrics
  }

  func start() async throws {
    provider.set(
      try await APNsProvider(
        settings: try apnsSettings(), tokens: store.store.value, loops: [loops.apns], metrics: metrics, log: log))
  }

  func stop() async -> Bool {
    await provider.value.stop(within: Self.grace)
    return true
  }

  private func apnsSettings() throws -> APNsSettings {
    var apns = APNsSettings()
    if let simulator = simulator?.simulator.value {
      apns.production = APNsSettings.Endpoint(host: "localhost", port: simulator.production.port)
      apns.sandbox = APNsSettings.Endpoint(host: "localhost", port: simulator.sandbox.port)
      apns.trust = .only(pem: simulator.caPEM)
      return apns
    }
    apns.production = APNsSettings.Endpoint(host: settings.productionAPNs.host, port: settings.productionAPNs.port)
    apns.sandbox = APNsSettings.Endpoint(host: settings.sandboxAPNs.host, port: settings.sandboxAPNs.port)
    if let path = settings.apnsAuthorityFile {
      guard let pem = PrivateFile(path: path).read(upTo: Self.largestAuthorityFile) else {
        throw StartError("BOLRACH_APNS_CA_FILE cannot be read: \(path)")
      }
      apns.trust = .systemRootsAnd(pem: pem)
    }
    return apns
  }

  /// Bundles of all public authorities are a quarter of this.
  private static let largestAuthorityFile = 1 << 20
}

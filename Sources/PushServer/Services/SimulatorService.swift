internal import APNsSimulator
internal import HTTPServer
internal import ServiceKit
internal import Transport

/// A local APNs in this process, for the demo and for other clients' tests, with its control endpoint, on a loop of its own.
final class SimulatorService: Service {
  let name = "simulator"
  let simulator = Started<SimulatedAPNs>()
  private let configuration: SimulatorConfiguration
  private let loop = EventLoop(name: "simulator")
  private let control = Started<Server>()

  init(configuration: SimulatorConfiguration) { self.configuration = configuration }

  /// Of the control endpoint; 0 without one.
  var controlPort: UInt16 { control.ifStarted?.addresses.first?.port ?? 0 }

  func start() async throws {
    let simulator = try await SimulatedAPNs.start(configuration, on: [loop])
    self.simulator.set(simulator)
    guard let port = configuration.controlPort else { return }
    let api = ControlAPI(simulator: simulator)
    control.set(
      try await Server.start(on: [Server.Endpoint(.loopback(port: port))], loops: [loop]) {
        await api.respond(to: $0)
      })
  }

  func stop() async -> Bool {
    _ = await control.ifStarted?.drain(within: .seconds(1))
    await simulator.value.stop()
    await loop.shutDown()
    return true
  }
}

extension SimulatorConfiguration {
  enum Ports: Sendable {
    /// Apple's alternative port for the sandbox, its neighbour for production, and one for the control endpoint.
    case usual
    /// Any that are free.
    case free
  }

  /// For whoever brings a key of their own: trusts it when it comes.
  static func accepting(on ports: Ports) -> SimulatorConfiguration {
    var configuration = SimulatorConfiguration(mode: .accepting)
    switch ports {
    case .usual:
      (configuration.sandboxPort, configuration.productionPort, configuration.controlPort) = (2197, 2198, 8090)
    case .free: configuration.controlPort = 0
    }
    return configuration
  }
}

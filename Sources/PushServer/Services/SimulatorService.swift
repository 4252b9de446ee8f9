internal import APNsSimulator
internal import HTTPServer
internal import ServiceKit
internal import Transport

/// A local APNs in this process, for the demo and for other clients' tests, with its control endpoint.
final class SimulatorService: Service {
  let name = "simulator"
  let simulator = Started<SimulatedAPNs>()
  private let configuration: SimulatorConfiguration
  private let loops: LoopService
  private let control = Started<Server>()

  init(configuration: SimulatorConfiguration, loops: LoopService) {
    self.configuration = configuration
    self.loops = loops
  }

  /// Of the control endpoint; 0 without one.
  var controlPort: UInt16 { control.ifStarted?.addresses.first?.port ?? 0 }

  func start() async throws {
    let simulator = try await SimulatedAPNs.start(configuration, on: [loops.simulator])
    self.simulator.set(simulator)
    guard let port = configuration.controlPort else { return }
    let api = ControlAPI(simulator: simulator)
    control.set(
      try await Server.start(on: [Server.Endpoint(.loopback(port: port))], loops: [loops.simulator]) {
        await api.respond(to: $0)
      })
  }

  func stop() async -> Bool {
    _ = await control.ifStarted?.drain(within: .seconds(1))
    await simulator.value.stop()
    return true
  }
}

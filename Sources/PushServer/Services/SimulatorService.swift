internal import APNsSimulator
internal import ServiceKit

/// A local APNs in this process, for the demo and for other clients' tests.
final class SimulatorService: Service {
  let name = "simulator"
  let simulator = Started<SimulatedAPNs>()
  private let configuration: SimulatorConfiguration
  private let loops: LoopService

  init(configuration: SimulatorConfiguration, loops: LoopService) {
    self.configuration = configuration
    self.loops = loops
  }

  func start() async throws {
    simulator.set(try await SimulatedAPNs.start(configuration, loops: [loops.simulator]))
  }

  func stop() async -> Bool {
    await simulator.value.stop()
    return true
  }
}

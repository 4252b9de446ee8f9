internal import APNsSimulator
internal import Glibc
internal import ServiceKit

/// `bolrach simulate-apns`: a local APNs by itself, on fixed ports, until it is stopped.
struct SimulatorCommand {
  /// Apple's alternative port, its neighbour, and one for the control endpoint.
  private static let ports: (sandbox: UInt16, production: UInt16, control: UInt16) = (2197, 2198, 8090)

  func run(_ signals: StopSignals, _ log: Log) async throws -> Int32 {
    var configuration = SimulatorConfiguration(mode: .accepting)
    configuration.sandboxPort = Self.ports.sandbox
    configuration.productionPort = Self.ports.production
    configuration.controlPort = Self.ports.control
    let loops = LoopService(apiLoops: 1)
    let service = SimulatorService(configuration: configuration, loops: loops)
    let end = await ServiceGroup([loops, service], log: log).run(until: { await signals.first() }) {
      _ = Terminal.say(
        """
        Simulated APNs is running.

          sandbox      https://localhost:\(Self.ports.sandbox)
          production   https://localhost:\(Self.ports.production)
          control      http://127.0.0.1:\(Self.ports.control)  (what arrived: /requests, its certificate authority: /ca.pem)

        Ctrl-C stops it.
        """)
    }
    return end.exitStatus
  }
}

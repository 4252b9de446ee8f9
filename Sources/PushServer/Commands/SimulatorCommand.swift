internal import APNsSimulator
internal import Glibc
internal import ServiceKit

/// `bolrach simulate-apns`: a local APNs by itself, on fixed ports, until it is stopped.
struct SimulatorCommand {
  func run(_ signals: StopSignals, _ log: Log) async throws -> Int32 {
    let service = SimulatorService(configuration: .accepting(on: .usual))
    let end = await ServiceGroup([service], log: log).run(until: { await signals.first() }) {
      let simulator = service.simulator.value
      _ = Terminal.say(
        """
        Simulated APNs is running.

          sandbox      https://localhost:\(simulator.sandbox.port)
          production   https://localhost:\(simulator.production.port)
          control      http://127.0.0.1:\(service.controlPort)  (what arrived: /requests, its certificate authority: /ca.pem)

        Ctrl-C stops it.
        """)
    }
    return end.exitStatus
  }
}

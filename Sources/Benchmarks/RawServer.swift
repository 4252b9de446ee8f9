internal import APNsSimulator
internal import Glibc
internal import Transport

/// The simulator in raw mode, until standard input ends. Writes its authority to a file and its port to standard output.
enum RawServer {
  static func run(authorityFile: String) async throws {
    let loop = EventLoop(name: "simulator")
    let simulator = try await SimulatedAPNs.start(SimulatorConfiguration(mode: .raw), on: [loop])
    guard let file = fopen(authorityFile, "we") else { return print("cannot write \(authorityFile)") }
    fwrite(simulator.caPEM, 1, simulator.caPEM.count, file)
    fclose(file)
    print(simulator.sandbox.port)
    fflush(nil)
    var byte: UInt8 = 0
    while read(STDIN_FILENO, &byte, 1) > 0 {}
    await simulator.stop()
    await loop.shutDown()
  }
}

internal import Glibc

/// Two halves of a measurement, as processes of their own so that each one's CPU time is its own: `server` is the simulator in raw
/// mode, `client` our APNs client alone. `scripts/bench` runs them beside their peers.
@main
enum Benchmarks {
  static func main() async throws {
    let arguments = CommandLine.arguments.dropFirst()
    switch arguments.first {
    case "server" where arguments.count == 2:
      try await RawServer.run(authorityFile: arguments[2])
    case "client" where arguments.count == 4:
      guard let port = UInt16(arguments[2]), let count = Int(arguments[4]) else { return usage() }
      try await ClientRun(port: port, authorityFile: arguments[3], count: count).perform()
    default: usage()
    }
  }

  private static func usage() {
    print("usage: Benchmarks server CA_FILE | Benchmarks client PORT CA_FILE COUNT")
  }
}

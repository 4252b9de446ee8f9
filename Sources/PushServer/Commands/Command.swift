internal import Glibc
package import ServiceKit

/// What `bolrach` can be asked to do.
package enum Command: Sendable, Hashable {
  case serve, work, all, migrate
  case demo(DemoOptions)
  case simulateAPNs
  case createAccount(name: String)
  case help

  /// `nil` when the words are not a command.
  package init?(arguments: [String]) {
    switch arguments.first {
    case "serve" where arguments.count == 1: self = .serve
    case "work" where arguments.count == 1: self = .work
    case "all" where arguments.count == 1: self = .all
    case "migrate" where arguments.count == 1: self = .migrate
    case "simulate-apns" where arguments.count == 1: self = .simulateAPNs
    case "account" where arguments.count == 3 && arguments[1] == "create" && !arguments[2].isEmpty:
      self = .createAccount(name: arguments[2])
    case "demo":
      guard let options = DemoOptions(arguments: Array(arguments.dropFirst())) else { return nil }
      self = .demo(options)
    case "help", "--help", "-h": self = .help
    default: return nil
    }
  }

  package static let usage = """
    usage: bolrach COMMAND

      serve                 the API
      work                  a worker
      all                   both; with a private PostgreSQL when BOLRACH_DATABASE_URL is not set
      migrate               bring the database's schema up to date
      demo                  everything on this machine, with a simulated APNs and an app to try
      simulate-apns         a local APNs for any client (docs/simulator.md)
      account create NAME   open an account and print its API key

    Settings are environment variables; the README lists them.
    """

  /// Says how it is meant; the result is the exit status.
  package static func refuseArguments() -> Int32 {
    _ = Terminal.complain("there is no such command\n" + usage)
    return 2
  }

  /// Runs it to its end; the result is the exit status. Called once.
  package func run(environment: [String: String], signals: StopSignals) async -> Int32 {
    do {
      let settings = try ServerSettings(environment: environment)
      let log = Log(level: settings.logLevel, sink: DescriptorSink(descriptor: STDERR_FILENO))
      switch self {
      case .help: return Terminal.say(Self.usage)
      case .serve: return try await serve([.api], settings, .require, signals, log)
      case .work: return try await serve([.worker], settings, .require, signals, log)
      case .all: return try await serve([.api, .worker], settings, .migrate, signals, log)
      case .demo(let options): return try await Demo(options: options).run(settings, signals, log)
      case .simulateAPNs: return try await SimulatorCommand().run(signals, log)
      case .migrate: return try await AdminCommand(settings: settings, log: log).migrate()
      case .createAccount(let name): return try await AdminCommand(settings: settings, log: log).createAccount(name)
      }
    } catch {
      return Terminal.complain("\(error)")
    }
  }

  /// With a private database every command that starts it keeps its schema: there is nobody else who would.
  private func serve(
    _ roles: Set<Node.Role>, _ settings: ServerSettings, _ schema: DatabaseService.Schema, _ signals: StopSignals,
    _ log: Log
  ) async throws -> Int32 {
    var schema = schema
    if case .embedded = settings.database { schema = .migrate }
    let loops = LoopService(apiLoops: Node.apiLoops)
    let node = try Node(roles, settings: settings, schema: schema, loops: loops, log: log)
    return await node.run(until: signals) { log.info("ready") }.exitStatus
  }
}

/// What a person at a terminal reads.
enum Terminal {
  static func say(_ text: String) -> Int32 {
    write(text + "\n", to: STDOUT_FILENO)
    return 0
  }

  static func complain(_ text: String) -> Int32 {
    for line in text.split(separator: "\n") { write("bolrach: \(line)\n", to: STDERR_FILENO) }
    return 1
  }

  private static func write(_ text: String, to descriptor: Int32) {
    var bytes = Array(text.utf8)[...]
    while !bytes.isEmpty {
      let count = bytes.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
      guard count > 0 else { return }
      bytes = bytes.dropFirst(count)
    }
  }
}

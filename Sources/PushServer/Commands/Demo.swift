internal import APNsSimulator
internal import Glibc
internal import JSON
internal import ServiceKit
internal import Transport

/// `bolrach demo`: a private PostgreSQL, a simulated APNs, the API, a worker and an app to try, in one process; then what to type.
struct Demo {
  let options: DemoOptions

  func run(_ settings: ServerSettings, _ signals: StopSignals, _ log: Log) async throws -> Int32 {
    let loops = LoopService(apiLoops: Node.apiLoops)
    // Scripts that ask for any port for the API want any for the rest too.
    let simulator = SimulatorService(configuration: .accepting(on: settings.listen.port == 0 ? .free : .usual))
    let node = try Node(
      [.api, .worker], settings: settings, schema: .migrate, simulator: simulator, loops: loops, log: log)
    let failure = Started<String>()
    let end = await node.run(until: signals) {
      do {
        try await announce(node, simulator)
      } catch {
        failure.set("\(error)")
        log.error("demo.failed", ["reason": .text("\(error)")])
        kill(getpid(), SIGTERM)
      }
    }
    if let text = failure.ifStarted { return Terminal.complain(text) }
    return end.exitStatus
  }

  private func announce(_ node: Node, _ service: SimulatorService) async throws {
    let simulator = service.simulator.value
    let api = "http://127.0.0.1:\(node.api.map { $0.address.value.port } ?? 0)"
    let control = "http://127.0.0.1:\(service.controlPort)"
    let sandbox = "https://localhost:\(simulator.sandbox.port)"
    switch options.content {
    case .none: break
    case .demoApp:
      let app = try await DemoApp(store: node.store.store.value, directory: node.settings.dataDirectory).prepare()
      _ = Terminal.say(
        app.instructions(api: api, sandbox: sandbox, control: control, data: node.settings.dataDirectory))
    }
    guard let path = options.readyFile else { return }
    var writer = JSONWriter()
    writer.object { writer in
      writer.member("api", api)
      writer.member("simulator", sandbox)
      writer.member("simulator_control", control)
    }
    try PrivateFile(path: path + ".new").write(writer.bytes)
    guard rename(path + ".new", path) == 0 else { throw StartError("\(path) cannot be written") }
  }
}

internal import Glibc
internal import ServiceKit

/// A process of the product: which parts run in it. Assembles them in their order; the only place that knows it.
struct Node {
  enum Role: Sendable { case api, worker }

  let settings: ServerSettings
  let log: Log
  let metrics = Metrics()
  let loops: LoopService
  let database: DatabaseService
  let store: StoreService
  let provider: ProviderService
  let api: APIService?
  private let services: [any Service]

  /// `simulator` takes Apple's place.
  init(
    _ roles: Set<Role>, settings: ServerSettings, schema: DatabaseService.Schema, simulator: SimulatorService? = nil,
    loops: LoopService, log: Log
  ) throws {
    let files = try ProductFiles.find()
    let secrets = try ProcessSecrets(settings)
    self.settings = settings
    self.log = log
    self.loops = loops
    database = DatabaseService(settings: settings, files: files, schema: schema, log: log)
    store = StoreService(database: database, masterKey: secrets.masterKey)
    provider = ProviderService(
      settings: settings, simulator: simulator, loops: loops, store: store, log: log, metrics: metrics)
    var services: [any Service] = [loops, database, store]
    if let simulator { services.append(simulator) }
    services.append(provider)
    if roles.contains(.worker) {
      services.append(WorkerService(store: store, provider: provider, log: log, metrics: metrics))
    }
    if roles.contains(.api) {
      let api = APIService(
        settings: settings, secrets: secrets, contract: try files.contract(), loops: loops, store: store,
        provider: provider, log: log, metrics: metrics)
      services.append(api)
      self.api = api
    } else {
      api = nil
    }
    self.services = services
  }

  func run(until signals: StopSignals, ready: @escaping @Sendable () async -> Void = {}) async -> ServiceGroup.End {
    await ServiceGroup(services, log: log).run(until: { await signals.first() }, ready: ready)
  }

  /// Two loops where there are cores for them, one otherwise.
  static var apiLoops: Int { min(2, max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN)) - 1)) }
}

extension ServiceGroup.End {
  /// What the shell is told.
  var exitStatus: Int32 {
    switch self {
    case .clean: 0
    case .abandonedWork: 75
    case .failed: 1
    }
  }
}

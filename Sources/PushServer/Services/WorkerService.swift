internal import PushCore
internal import PushWorker
internal import ServiceKit

/// A worker over the store and the provider.
final class WorkerService: Service {
  let name = "worker"
  private let store: StoreService
  private let provider: ProviderService
  private let log: Log
  private let metrics: Metrics
  private let worker = Started<(DeliveryWorker, Task<Void, Never>)>()

  /// Replies of Apple's take up to the push deadline; what is not back by then is left to the next worker.
  private static let grace = Duration.seconds(25)

  init(store: StoreService, provider: ProviderService, log: Log, metrics: Metrics) {
    self.store = store
    self.provider = provider
    self.log = log
    self.metrics = metrics
  }

  func start() async throws {
    let store = store.store.value
    let worker = DeliveryWorker(
      authority: WorkerAuthority(worker: .make()), queue: store, provider: provider.provider.value, keyring: store,
      settings: WorkerSettings(), events: WorkerEvents(log: log, metrics: metrics))
    // Not a child of the group's: it ends by being stopped, not by being cancelled.
    self.worker.set((worker, Task { await worker.run() }))
  }

  func run() async throws { await worker.value.1.value }

  func stop() async -> Bool { await worker.value.0.stop(within: Self.grace) }
}

extension WorkerEvents {
  init(log: Log, metrics: Metrics) {
    let failures = metrics.counter("bolrach_worker_store_failures_total", "Steps that the database refused.")
    let lost = metrics.counter("bolrach_worker_leases_lost_total", "Batches whose lease went to another worker.")
    let rescued = metrics.counter("bolrach_worker_batches_rescued_total", "Batches of workers that died.")
    let braked = metrics.counter(
      "bolrach_worker_tokens_spared_total", "Dead-token answers while an app's brake was on: nothing was retired.")
    self.init(
      storeFailed: { step, error in
        failures.add()
        log.sparse(.warning, "worker.store_failed", ["step": .text(step), "reason": .text("\(error)")])
      },
      notRenderable: { log.sparse(.error, "worker.not_renderable", ["message": .text(describing: $0)]) },
      leasesLost: { count in
        lost.add(count)
        log.sparse(.warning, "worker.leases_lost", ["batches": .integer(count)])
      },
      heartbeatMissed: { log.sparse(.debug, "worker.heartbeat_missed", ["batches": .integer($0)]) },
      brakeOn: { app, dead in
        braked.add(dead)
        log.sparse(.error, "worker.brake_on", ["app": .text(describing: app), "dead": .integer(dead)])
      },
      rescued: { count in
        rescued.add(count)
        log.info("worker.rescued", ["batches": .integer(count)])
      })
  }
}

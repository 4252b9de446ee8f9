package import PushCore
internal import ServiceKit

/// Claims due batches and sees them delivered: wakes on hints with a slow poll behind them, asks the scheduler whose turn it is, and
/// runs several claims at once.
///
/// Made and stopped by the composition root, once for a start of a process. ``run()`` is its life; ``stop(within:)`` makes it stop
/// claiming, lets what is under way end, and abandons what does not end in time (its leases run out and others take over).
package actor DeliveryWorker {
  private enum Event: Sendable {
    /// Look for work.
    case look
    case ended(FairScheduler.Turn, FairScheduler.RunEnd)
    case stop
  }

  private let authority: WorkerAuthority
  private let queue: any DeliveryQueue
  private let provider: any PushProvider
  private let keyring: any Keyring
  private let settings: WorkerSettings
  private let watcher: WorkerEvents
  private let leases = LeaseKeeper()
  /// Whether a look is on its way already: hints come by the hundred, and one look answers all that came before it.
  private let lookIsPosted = Lock(false)
  private let health = AppHealth()
  private let events: AsyncStream<Event>
  private let post: AsyncStream<Event>.Continuation
  private var scheduler: FairScheduler
  private var isStopping = false
  private var stopped: [CheckedContinuation<Void, Never>] = []
  private var hasEnded = false

  package init(
    authority: WorkerAuthority, queue: any DeliveryQueue, provider: any PushProvider, keyring: any Keyring,
    settings: WorkerSettings, events watcher: WorkerEvents
  ) {
    self.authority = authority
    self.queue = queue
    self.provider = provider
    self.keyring = keyring
    self.settings = settings
    self.watcher = watcher
    scheduler = FairScheduler(settings: settings)
    // Looks are coalesced below; ends are bounded by the runs.
    (events, post) = AsyncStream.makeStream(bufferingPolicy: .unbounded)
  }

  /// Works until it is stopped. Called once.
  package func run() async {
    await withDiscardingTaskGroup { tasks in
      let helpers = [
        Task { [self] in for await _ in await queue.wakeUps() { postLook() } },
        every(settings.pollInterval) { [self] in postLook() },
        every(settings.rescueInterval) { [self] in await rescue() },
        every(.seconds(settings.lease.count) / 3) { [self] in
          await self.leases.extendAll(in: queue, by: settings.lease, events: watcher)
        },
      ]
      await rescue()
      postLook()
      for await event in events {
        switch event {
        case .look: await look()
        case .ended(let turn, let end): scheduler.finished(turn, end)
        case .stop: isStopping = true
        }
        if isStopping {
          if scheduler.runs == 0 { break }
        } else {
          dispatch(in: &tasks)
        }
      }
      for helper in helpers { helper.cancel() }
    }
    hasEnded = true
    for continuation in stopped { continuation.resume() }
    stopped = []
  }

  /// Returns when nothing is under way any more, or at the deadline; then with `false`, and what is left is abandoned.
  package func stop(within grace: Duration) async -> Bool {
    post.yield(.stop)
    let alarm = Task { [leases, self] in
      try await Task.sleep(for: grace)
      leases.abandon()
      self.giveUpWaiting()
    }
    await ended()
    alarm.cancel()
    return hasEnded
  }

  private func ended() async {
    guard !hasEnded else { return }
    await withCheckedContinuation { stopped.append($0) }
  }

  private func giveUpWaiting() {
    for continuation in stopped { continuation.resume() }
    stopped = []
  }

  private nonisolated func postLook() {
    let isFirst = lookIsPosted.withLock { isPosted in
      defer { isPosted = true }
      return !isPosted
    }
    if isFirst { post.yield(.look) }
  }

  private func look() async {
    lookIsPosted.withLock { $0 = false }
    do {
      scheduler.refresh(try await queue.dueWork(as: authority))
    } catch {
      watcher.storeFailed("look", error)
    }
  }

  private func dispatch(in tasks: inout DiscardingTaskGroup) {
    while let turn = scheduler.next() {
      let run = DeliveryRun(
        scope: TenantScope(working: authority, for: turn.queue.app), lane: turn.queue.lane, worker: authority.worker,
        queue: queue,
        provider: provider, keyring: keyring, settings: settings, leases: leases, health: health, events: watcher)
      tasks.addTask { [post] in post.yield(.ended(turn, await run.perform())) }
    }
  }

  private func rescue() async {
    do {
      let count = try await queue.rescueExpired(as: authority)
      guard count > 0 else { return }
      watcher.rescued(count)
      postLook()
    } catch {
      watcher.storeFailed("rescue", error)
    }
  }

  private nonisolated func every(_ interval: Duration, _ body: @escaping @Sendable () async -> Void) -> Task<
    Void, Never
  > {
    Task {
      while !Task.isCancelled {
        do {
          try await Task.sleep(for: interval)
        } catch {
          return
        }
        await body()
      }
    }
  }
}

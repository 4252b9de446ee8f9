internal import PushCore

/// Decides whose work is claimed next: the transactional lane before the bulk lane, apps in turn within a lane, each with a
/// deficit that what it sent is charged to.
///
/// A plain value without I/O, owned by one ``DeliveryWorker``. It knows which apps may have work; an app whose claim finds nothing drops
/// out until the next look.
struct FairScheduler {
  /// An app's work in one lane.
  struct Queue: Hashable, Sendable {
    let app: AppID
    let lane: Lane
  }

  /// A turn that was given, and how many looks the scheduler had taken over when it was.
  struct Turn: Hashable, Sendable {
    let queue: Queue
    let look: Int
  }

  /// How a run ended.
  enum RunEnd: Sendable, Equatable {
    /// It claimed batches with so many recipients; there may be more.
    case worked(recipients: Int)
    /// There was nothing to claim.
    case nothing
    /// The database refused; the next look decides.
    case failed
  }

  private let settings: WorkerSettings
  private var lanes: [Lane: Ring] = [.transactional: Ring(), .bulk: Ring()]
  private var running: [Queue: Int] = [:]
  private var look = 0

  init(settings: WorkerSettings) { self.settings = settings }

  var runs: Int { running.values.reduce(0, +) }
  var hasWork: Bool { lanes.values.contains { !$0.isEmpty } }

  /// Takes over what a look at the database found. Apps that are known keep their place and deficit.
  mutating func refresh(_ due: [DueWork]) {
    look += 1
    for work in due { lanes[work.lane]?.add(work.app, seenIn: look) }
  }

  /// The next queue to claim from, counted as running; `nil` when there is none or all capacity is taken.
  mutating func next() -> Turn? {
    guard runs < settings.maximumRuns else { return nil }
    for lane in [Lane.transactional, .bulk] {
      if lane == .bulk, runs(in: .bulk) >= settings.maximumBulkRuns { continue }
      let busy = running
      let cap = settings.maximumRunsPerApp
      let app = lanes[lane]?.next(quantum: settings.sliceSize) { busy[Queue(app: $0, lane: lane), default: 0] < cap }
      if let app {
        let queue = Queue(app: app, lane: lane)
        running[queue, default: 0] += 1
        return Turn(queue: queue, look: look)
      }
    }
    return nil
  }

  /// A claim that found nothing speaks of the time before its look only: an app that a later look has named stays.
  mutating func finished(_ turn: Turn, _ end: RunEnd) {
    let queue = turn.queue
    if let count = running[queue] { running[queue] = count > 1 ? count - 1 : nil }
    switch end {
    case .worked(let recipients): lanes[queue.lane]?.charge(queue.app, recipients)
    case .nothing, .failed: lanes[queue.lane]?.remove(queue.app, unlessSeenAfter: turn.look)
    }
  }

  private func runs(in lane: Lane) -> Int {
    running.reduce(0) { $1.key.lane == lane ? $0 + $1.value : $0 }
  }
}

/// Apps in turn, by deficit round robin: each visit grants a quantum, what was sent is charged, and an app in debt is passed over until
/// its grants have paid for it. When nobody has credit, everybody is granted: capacity is never left idle.
private struct Ring {
  private var apps: [AppID] = []
  private var credit: [AppID: Int] = [:]
  private var lastSeen: [AppID: Int] = [:]
  private var position = 0

  var isEmpty: Bool { apps.isEmpty }

  mutating func add(_ app: AppID, seenIn look: Int) {
    lastSeen[app] = look
    guard credit[app] == nil else { return }
    credit[app] = 0
    apps.append(app)
  }

  mutating func remove(_ app: AppID, unlessSeenAfter look: Int) {
    guard lastSeen[app, default: 0] <= look else { return }
    lastSeen[app] = nil
    guard credit.removeValue(forKey: app) != nil, let index = apps.firstIndex(of: app) else { return }
    apps.remove(at: index)
    if index < position { position -= 1 }
  }

  mutating func charge(_ app: AppID, _ recipients: Int) {
    credit[app]? -= recipients
  }

  mutating func next(quantum: Int, where isAllowed: (AppID) -> Bool) -> AppID? {
    let allowed = apps.filter(isAllowed)
    guard let best = allowed.compactMap({ credit[$0] }).max() else { return nil }
    if best <= 0 {
      // Whole grants, just enough for the least indebted to have credit again.
      let grants = -best / quantum + 1
      for app in allowed { credit[app] = min(quantum, credit[app, default: 0] + grants * quantum) }
    }
    for offset in apps.indices {
      let index = (position + offset) % apps.count
      let app = apps[index]
      if credit[app, default: 0] > 0, isAllowed(app) {
        position = (index + 1) % apps.count
        return app
      }
    }
    return nil
  }
}

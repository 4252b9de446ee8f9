internal import CLinux
internal import Glibc
internal import ServiceKit
internal import Synchronization

extension EventLoop {
  func start() {
    thread = Self.spawn(self) { loop in
      loop.nameThread()
      loop.ownThread.store(UInt(pthread_self()), ordering: .relaxed)
      loop.run()
    }
  }

  func startLateThread() {
    let late = Self.spawn(self) { loop in
      loop.ownThread.store(UInt(pthread_self()), ordering: .relaxed)
      loop.drainUntilEnded()
    }
    pthread_detach(late)
  }

  private func run() {
    let events = UnsafeMutableBufferPointer<epoll_event>.allocate(capacity: 256)
    defer { events.deallocate() }
    while inbox.withLock({ $0.phase == .running }) {
      let count = poller.wait(into: events, milliseconds: sleepTime())
      beginCycle()
      for event in events[..<count] { dispatch(event) }
      resumeUnfinished()
      fireTimers()
      drainInbox()
      finishCycle()
    }
    closeSources()
    drainUntilEnded()
  }

  private func dispatch(_ event: epoll_event) {
    let token = event.data.u64
    guard token != Poller.wakeToken else { return poller.clearWake() }
    sources.find(ChannelID(token: token))?.ready(Poller.Interest(rawValue: event.events))
  }

  /// Milliseconds until the next timer, rounded up so that it is due when the wait ends; -1 without one.
  private func sleepTime() -> Int32 {
    let hasWork = inbox.withLock { !$0.isEmpty }
    guard !hasWork, unfinished.isEmpty, cycleEnds.isEmpty else { return 0 }
    guard let timer = timers.earliest else { return -1 }
    let now = MonotonicTime.current()
    guard timer.deadline > now else { return 0 }
    return Int32(clamping: (timer.deadline.nanoseconds - now.nanoseconds + 999_999) / 1_000_000)
  }

  private func resumeUnfinished() {
    guard !unfinished.isEmpty else { return }
    let waiting = unfinished
    unfinished.removeAll(keepingCapacity: true)
    for source in waiting { source.ready(.readable) }
  }

  private func fireTimers() {
    guard timers.count > 0 else { return }
    let now = MonotonicTime.current()
    while let timer = timers.earliest, timer.deadline <= now {
      timers.remove(timer)
      let body = timer.body.take()
      body?()
    }
  }

  /// A few rounds, so that a task's hop from `await` to `await` need not wait for epoll, and no more, so that sockets
  /// get their turn.
  private func drainInbox() {
    for _ in 0..<8 {
      guard runBatch() else { return }
    }
  }

  private func runBatch() -> Bool {
    inbox.withLock { $0.take(into: &batch) }
    guard !batch.isEmpty else { return false }
    // Held outside of the property while it runs: a job may look at the loop.
    var running: [LoopInbox.Work] = []
    swap(&running, &batch)
    for work in running { run(work) }
    running.removeAll(keepingCapacity: true)
    swap(&running, &batch)
    return true
  }

  /// Handlers may ask again while they run, as closing does; they get their turn in the same cycle, a few times over.
  private func finishCycle() {
    for _ in 0..<4 where !cycleEnds.isEmpty {
      let handlers = cycleEnds
      cycleEnds = []
      for handler in handlers { handler.endOfCycle() }
    }
  }

  private func closeSources() {
    isAcceptingSources = false
    timers.removeAll()
    unfinished = []
    for source in sources.removeAll() { source.loopStopped() }
  }

  private func drainUntilEnded() {
    while true {
      while runBatch() {}
      while !cycleEnds.isEmpty { finishCycle() }
      guard let waiting = inbox.withLock({ $0.endIfEmpty() }) else { continue }
      for continuation in waiting { continuation.resume() }
      return
    }
  }

  private final class Start {
    let loop: EventLoop
    let body: (EventLoop) -> Void
    init(_ loop: EventLoop, _ body: @escaping (EventLoop) -> Void) {
      self.loop = loop
      self.body = body
    }
  }

  private static func spawn(_ loop: EventLoop, _ body: @escaping (EventLoop) -> Void) -> pthread_t {
    var thread = pthread_t()
    let start = Unmanaged.passRetained(Start(loop, body))
    let status = pthread_create(&thread, nil, runStart, start.toOpaque())
    precondition(status == 0, "no thread left for an event loop")
    return thread
  }

  private static let runStart: @convention(c) (UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? = { context in
    // Retained by `spawn`, released here, once.
    let start = Unmanaged<Start>.fromOpaque(context.unsafelyUnwrapped).takeRetainedValue()
    start.body(start.loop)
    return nil
  }
}

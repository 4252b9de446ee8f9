internal import CLinux
internal import Glibc
internal import ServiceKit
internal import Synchronization

/// One OS thread running epoll: sockets, timers and jobs take turns on it, so nothing that belongs to it needs a lock.
///
/// It is a `SerialExecutor` (actors may be pinned to it) and a `TaskExecutor` (tasks started with it as their preference
/// come back to its thread after every `await`). Made by the composition root, which calls `stop()` or `shutDown()`; the
/// thread keeps the loop alive until then.
///
/// After the end: sockets are closed and their handlers told (`loopStopped`), timers are dropped, and jobs that still
/// arrive are run one at a time on a short-lived thread that counts as the loop's thread, so no continuation is left
/// behind.
package final class EventLoop: @unchecked Sendable {
  // Proof of `Sendable`: `inbox` is locked, `ownThread` atomic, `poller.wake()` a system call on a descriptor that lives
  // as long as the loop. All other state is used on the loop's thread only, which `register`, `schedule` and the like
  // check; a late thread takes over from the ended one under the inbox's lock.
  let inbox = Lock(LoopInbox())
  let poller = Poller()
  let ownThread = Atomic<UInt>(0)
  private let name: String
  var thread = pthread_t()

  /// Read buffer shared by all channels of this loop; its contents are used up before the next read.
  let readBuffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 65536, alignment: 64)

  var sources = SourceTable()
  var timers = TimerHeap()
  var timerSequence: UInt64 = 0
  var cycleEnds: [any EndOfCycleHandler] = []
  /// Sources with input left when their share of a cycle was used up: an edge-triggered event does not come again.
  var unfinished: [any EventSource] = []
  var batch: [LoopInbox.Work] = []
  var isAcceptingSources = true

  /// The time at which the current cycle began to handle its events. Loop thread only; costs no system call.
  package private(set) var now = MonotonicTime.current()

  /// - Parameter name: shown by `ps` and debuggers; at most 15 bytes are kept.
  package init(name: String = "loop") {
    self.name = name
    start()
  }

  deinit { readBuffer.deallocate() }

  /// Runs `body` on the loop's thread. From any thread, at any time, also after the end.
  package func execute(_ body: @escaping @Sendable () -> Void) { add(.body(body)) }

  package var isCurrent: Bool { ownThread.load(ordering: .relaxed) == UInt(pthread_self()) }

  package func preconditionIsCurrent() { precondition(isCurrent, "used off its event loop's thread") }

  /// Calls `body` on this loop after at least `delay`. Loop thread only. On a loop that has ended nothing is ever called.
  package func schedule(after delay: Duration, _ body: @escaping () -> Void) -> LoopTimer {
    preconditionIsCurrent()
    timerSequence &+= 1
    // From the clock, not from `now`: a long cycle must not shorten a delay.
    let timer = LoopTimer(
      loop: self, deadline: MonotonicTime.current() + delay, sequence: timerSequence, body: body)
    guard isAcceptingSources else {
      timer.body = nil
      return timer
    }
    timers.insert(timer)
    return timer
  }

  func remove(_ timer: LoopTimer) {
    preconditionIsCurrent()
    timers.remove(timer)
  }

  /// Has `handler` called once at the end of the current cycle; the caller keeps track of whether it asked already.
  /// Loop thread only.
  package func atEndOfCycle(_ handler: any EndOfCycleHandler) {
    assert(isCurrent)
    cycleEnds.append(handler)
  }

  /// Ends the loop and waits until its thread is gone. Blocks the caller for the rest of the current cycle; from
  /// asynchronous code use `shutDown()`. On the loop's own thread it does not wait.
  package func stop() {
    let isFirst = inbox.withLock { $0.stop() }
    guard isFirst else { return }
    poller.wake()
    if isCurrent {
      pthread_detach(thread)
    } else {
      pthread_join(thread, nil)
    }
  }

  /// Ends the loop and returns when it has closed its sockets and run its queue.
  package func shutDown() async {
    await withCheckedContinuation { continuation in
      let waits = inbox.withLock { $0.waitForEnd(continuation) }
      guard waits else { return continuation.resume() }
      let isFirst = inbox.withLock { $0.stop() }
      guard isFirst else { return }
      pthread_detach(thread)
      poller.wake()
    }
  }

  func add(_ work: sending LoopInbox.Work) {
    let consequence = inbox.withLock { $0.add(work) }
    switch consequence {
    case .nothing: break
    case .wakeLoop:
      // The loop looks into its inbox before it sleeps, so its own thread need not wake it.
      if !isCurrent { poller.wake() }
    case .startLateThread: startLateThread()
    }
  }

  func beginCycle() { now = MonotonicTime.current() }

  func nameThread() {
    name.withCString { _ = pthread_setname_np(pthread_self(), $0) }
  }
}

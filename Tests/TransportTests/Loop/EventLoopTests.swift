import Testing
import Transport

@Suite(.timeLimit(.minutes(1)))
struct EventLoopTests {
  @Test func workFromManyThreadsRunsOnTheLoopsThread() async {
    let loop = EventLoop()
    await withTaskGroup(of: Bool.self) { group in
      for _ in 0..<200 {
        group.addTask { await loop.run { loop.isCurrent } }
      }
      for await isCurrent in group { #expect(isCurrent) }
    }
    #expect(!loop.isCurrent)
    loop.stop()
  }

  @Test func aTaskThatPrefersTheLoopComesBackToItAfterEachSuspension() async {
    let loop = EventLoop()
    let places = await Task(executorPreference: loop) {
      var places = [loop.isCurrent]
      await Task.yield()
      places.append(loop.isCurrent)
      try? await Task.sleep(for: .milliseconds(1))
      places.append(loop.isCurrent)
      return places
    }.value
    #expect(places == [true, true, true])
    await loop.shutDown()
  }

  actor Pinned {
    private let loop: EventLoop
    private var count = 0
    nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    init(_ loop: EventLoop) { self.loop = loop }

    func increase() -> (count: Int, isOnLoop: Bool) {
      count += 1
      return (count, loop.isCurrent)
    }

    /// Callable without `await` from the loop's own callbacks.
    nonisolated func increaseFromLoop() -> Int { assumeIsolated { $0.increase().count } }
  }

  @Test func anActorPinnedToTheLoopRunsThereAndAcceptsItsCallbacks() async {
    let loop = EventLoop()
    let actor = Pinned(loop)
    let first = await actor.increase()
    #expect(first == (1, true))
    #expect(await loop.run { actor.increaseFromLoop() } == 2)
    await loop.shutDown()
  }

  @Test func touchingAPinnedActorOffTheLoopStopsTheProcess() async {
    await #expect(processExitsWith: .failure) {
      let actor = Pinned(EventLoop())
      _ = actor.increaseFromLoop()
    }
  }

  @Test func workGivenToALoopThatHasEndedStillRunsOneAtATime() async {
    let loop = EventLoop()
    loop.stop()
    let results = await withTaskGroup(of: Bool.self) { group in
      for _ in 0..<100 { group.addTask { await loop.run { loop.isCurrent } } }
      return await group.reduce(into: []) { $0.append($1) }
    }
    #expect(results == Array(repeating: true, count: 100))
    // Also a task that was waiting elsewhere when the loop ended comes to its end.
    #expect(await Task(executorPreference: loop) { 7 }.value == 7)
  }

  @Test func stoppingTwiceAndFromTheLoopItselfIsHarmless() async {
    let loop = EventLoop()
    loop.execute { loop.stop() }
    await loop.shutDown()
    loop.stop()
    await loop.shutDown()
  }

  @Test func workQueuedBeforeTheEndRunsBeforeTheEnd() async {
    let loop = EventLoop()
    let done = Mailbox<Int>()
    for number in 0..<50 { loop.execute { done.post(number) } }
    loop.stop()
    for number in 0..<50 { #expect(try! await done.next() == number) }
  }

  @Test func aBoundValueIsGivenUpOnItsLoop() async throws {
    final class Witness {
      let loop: EventLoop
      let mailbox: Mailbox<Bool>
      init(_ loop: EventLoop, _ mailbox: Mailbox<Bool>) { (self.loop, self.mailbox) = (loop, mailbox) }
      deinit { mailbox.post(loop.isCurrent) }
    }
    let loop = EventLoop()
    let mailbox = Mailbox<Bool>()
    var bound: LoopBound<Witness>? = await loop.run { LoopBound(Witness(loop, mailbox), loop: loop) }
    #expect(bound != nil)
    bound = nil
    #expect(try await mailbox.next())
    await loop.shutDown()
  }
}

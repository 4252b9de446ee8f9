import Testing
@testable import Transport

@Suite(.timeLimit(.minutes(1)))
struct LoopTimerTests {
  @Test func timersFireInOrderOfDeadlineAndThenOfAge() async throws {
    let loop = EventLoop()
    let fired = Mailbox<String>()
    loop.execute {
      _ = loop.schedule(after: .milliseconds(30)) { fired.post("late") }
      _ = loop.schedule(after: .milliseconds(10)) { fired.post("early") }
      _ = loop.schedule(after: .zero) { fired.post("now") }
    }
    #expect(try await fired.next() == "now")
    #expect(try await fired.next() == "early")
    #expect(try await fired.next() == "late")
    await loop.shutDown()
  }

  @Test func aTimerNeverFiresEarly() async throws {
    let loop = EventLoop()
    let waited = Mailbox<Duration>()
    loop.execute {
      let start = MonotonicTime.current()
      _ = loop.schedule(after: .milliseconds(25)) { waited.post(MonotonicTime.current().since(start)) }
    }
    #expect(try await waited.next() >= .milliseconds(25))
    await loop.shutDown()
  }

  @Test func aCancelledTimerDoesNotFireAndForgetsItsClosure() async throws {
    final class Token: Sendable {
      let mailbox: Mailbox<String>
      init(_ mailbox: Mailbox<String>) { self.mailbox = mailbox }
      deinit { mailbox.post("forgotten") }
    }
    let loop = EventLoop()
    let events = Mailbox<String>()
    loop.execute {
      let token = Token(events)
      let timer = loop.schedule(after: .milliseconds(5)) { token.mailbox.post("fired") }
      timer.cancel()
      #expect(!timer.isPending)
      timer.cancel()
      _ = loop.schedule(after: .milliseconds(20)) { events.post("after") }
    }
    #expect(try await events.next() == "forgotten")
    #expect(try await events.next() == "after")
    await loop.shutDown()
  }

  @Test func aStoppedLoopDropsItsTimersAndTakesNoMore() async throws {
    let loop = EventLoop()
    let fired = Mailbox<String>()
    loop.execute { _ = loop.schedule(after: .milliseconds(1)) { fired.post("stale") } }
    loop.execute { loop.stop() }
    await loop.shutDown()
    let isPending = await loop.run { loop.schedule(after: .zero) { fired.post("stale") }.isPending }
    #expect(!isPending)
  }

  @Test func theHeapKeepsItsOrderThroughRandomRemovals() async {
    let loop = EventLoop()
    let isOrdered = await loop.run {
      var generator = SystemRandomNumberGenerator()
      var heap = TimerHeap()
      var timers: [LoopTimer] = []
      for sequence in 0..<500 {
        let deadline = MonotonicTime(nanoseconds: UInt64.random(in: 0..<100, using: &generator))
        let timer = LoopTimer(loop: loop, deadline: deadline, sequence: UInt64(sequence)) {}
        heap.insert(timer)
        timers.append(timer)
      }
      for timer in timers.shuffled().prefix(250) { heap.remove(timer) }
      var last: LoopTimer?
      var count = 0
      while let next = heap.earliest {
        heap.remove(next)
        count += 1
        if let last, (next.deadline, next.sequence) < (last.deadline, last.sequence) { return false }
        last = next
      }
      return count == 250
    }
    #expect(isOrdered)
    await loop.shutDown()
  }

  @Test func aDurationTooLongForTheClockIsTheEndOfTime() {
    let time = MonotonicTime(nanoseconds: 5) + .seconds(Int64.max)
    #expect(time == MonotonicTime(nanoseconds: .max))
    #expect(MonotonicTime(nanoseconds: 5) + .seconds(-1) == MonotonicTime(nanoseconds: 5))
  }
}

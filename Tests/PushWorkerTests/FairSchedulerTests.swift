import PushCore
import Testing

@testable import PushWorker

@Suite struct FairSchedulerTests {
  private let first = AppID(1)
  private let second = AppID(2)

  private func due(_ app: AppID, _ lane: Lane) -> DueWork { DueWork(app: app, lane: lane, batches: 10) }

  @Test func theTransactionalLaneComesFirst() {
    var scheduler = FairScheduler(settings: WorkerSettings())
    scheduler.refresh([due(first, .bulk), due(second, .transactional)])
    #expect(scheduler.next()?.queue == FairScheduler.Queue(app: second, lane: .transactional))
  }

  @Test func bulkLeavesRoomForTransactionalRuns() {
    var settings = WorkerSettings()
    settings.maximumRuns = 3
    settings.maximumBulkRuns = 2
    settings.maximumRunsPerApp = 9
    var scheduler = FairScheduler(settings: settings)
    scheduler.refresh([due(first, .bulk)])
    #expect(scheduler.next() != nil)
    #expect(scheduler.next() != nil)
    #expect(scheduler.next() == nil)
    scheduler.refresh([due(second, .transactional)])
    #expect(scheduler.next()?.queue.app == second)
    #expect(scheduler.next() == nil)
  }

  @Test func oneAppCannotTakeEveryRun() {
    var settings = WorkerSettings()
    settings.maximumRunsPerApp = 2
    var scheduler = FairScheduler(settings: settings)
    scheduler.refresh([due(first, .bulk)])
    #expect(scheduler.next() != nil)
    #expect(scheduler.next() != nil)
    #expect(scheduler.next() == nil)
  }

  @Test func appsShareByWhatTheySendNotByHowOftenTheyAsk() throws {
    var settings = WorkerSettings()
    settings.maximumRunsPerApp = 1
    settings.maximumBulkRuns = 1
    var scheduler = FairScheduler(settings: settings)
    scheduler.refresh([due(first, .bulk), due(second, .bulk)])
    var sent: [AppID: Int] = [:]
    for _ in 0..<300 {
      let next = scheduler.next()
      let turn = try #require(next)
      // The first app has slices of 4 000, the second messages for ten people.
      let recipients = turn.queue.app == first ? 4000 : 10
      sent[turn.queue.app, default: 0] += recipients
      scheduler.finished(turn, .worked(recipients: recipients))
    }
    // The small one is never more than one slice behind what it asked for: it had nearly all the turns.
    #expect(sent[second, default: 0] >= 2000)
    #expect(sent[first, default: 0] >= 4000)
  }

  @Test func anAppWithoutWorkDropsOut() throws {
    var scheduler = FairScheduler(settings: WorkerSettings())
    scheduler.refresh([due(first, .bulk)])
    let next = scheduler.next()
    let turn = try #require(next)
    scheduler.finished(turn, .nothing)
    #expect(scheduler.next() == nil)
    #expect(!scheduler.hasWork)
  }

  @Test func workFoundWhileAnEmptyClaimWasUnderWayIsNotForgotten() throws {
    var scheduler = FairScheduler(settings: WorkerSettings())
    scheduler.refresh([due(first, .transactional)])
    let next = scheduler.next()
    let turn = try #require(next)
    scheduler.refresh([due(first, .transactional)])
    scheduler.finished(turn, .nothing)
    #expect(scheduler.next()?.queue.app == first)
  }
}

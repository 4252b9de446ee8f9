internal import PushCore
internal import ServiceKit

/// Writes the answers of one run as they come, a few times a second, and what is left at its end together with the finished batches.
///
/// Owned by one run, used by its tasks one after the other. A settlement that the database refuses is tried until it is taken:
/// what has been sent must be recorded, and the heartbeat keeps the lease meanwhile.
struct Settler: Sendable {
  let run: DeliveryRun
  let sentAt: Timestamp
  let groups: [DeliveryPlan.Group]
  let boxes: [ResultBox]

  /// Until it is cancelled.
  func flushRegularly() async {
    while !Task.isCancelled {
      do {
        try await Task.sleep(for: run.settings.flushInterval)
      } catch {
        return
      }
      // In a task of its own: a settlement that has begun is not cut off when the sending ends.
      await Task { await settle(Settlement(), finishing: []) }.value
    }
  }

  /// The last settlement: with what never was sent, and the batches, which are done.
  func finish(_ leases: [BatchLease], with unsent: Settlement) async {
    await settle(unsent, finishing: leases)
  }

  private func settle(_ unsent: Settlement, finishing leases: [BatchLease]) async {
    let taken = boxes.map { $0.take() }
    var rules = SettlementRules(
      policy: run.settings.retry, unsentDelay: run.settings.unsentDelay, now: .now(), sentAt: sentAt,
      random: Double.random(in: 0..<1), brakeIsOn: brakeIsOn(after: taken))
    for (group, results) in zip(groups, taken) {
      for result in results { rules.apply(result, to: group.pushes[Int(result.recipient)]) }
    }
    let hold = rules.hold
    var settlement = rules.finish()
    settlement.deliveries.append(contentsOf: unsent.deliveries)
    settlement.missing = unsent.missing
    settlement.finished = leases
    // Held first, so that what goes back is not claimed at once.
    if let hold { await persist("hold") { try await run.queue.hold(hold.cause, reason: hold.reason, in: run.scope) } }
    guard !settlement.isEmpty else { return }
    let lost = await persist("settle") { [settlement] in try await run.queue.settle(settlement, in: run.scope) }
    if let lost, !lost.isEmpty { run.events.leasesLost(lost.count) }
  }

  private func brakeIsOn(after taken: [[SendResult]]) -> Bool {
    var alive = 0
    var dead = 0
    for result in taken.joined() {
      switch result.answer {
      case .accepted: alive += 1
      case .rejected(_, .dead), .rejected(_, .notForTopic): dead += 1
      case .rejected(_, .keep), .rejected(_, .deadSince), .retry, .unanswered, .unsent, .held, .expired: break
      }
    }
    let brake = run.health.count(alive: alive, dead: dead, of: run.scope.app)
    if brake.isOn, dead > 0 { run.events.brakeOn(run.scope.app, dead) }
    return brake.isOn
  }

  /// Tries until it works; `nil` once the leases are surely lost, so that nothing is gained by trying longer.
  private func persist<Result: Sendable>(
    _ step: String, _ body: @Sendable () async throws -> Result
  ) async -> Result? {
    var delay = Duration.milliseconds(50)
    let giveUp = ContinuousClock.now + .seconds(run.settings.lease.count * 10)
    while true {
      do {
        return try await body()
      } catch {
        run.events.storeFailed(step, error)
        guard ContinuousClock.now < giveUp, !run.leases.isAbandoned else { return nil }
        try? await Task.sleep(for: delay)  // Never cancelled: see `flushRegularly`.
        delay = min(delay * 2, .seconds(2))
      }
    }
  }
}

extension Settlement {
  fileprivate var isEmpty: Bool {
    deliveries.isEmpty && retries.isEmpty && retirements.isEmpty && missing.isEmpty && finished.isEmpty
  }
}

internal import PushCore
internal import ServiceKit

/// One claim of one app, from the claim to its last settlement. Made by the worker for each pick of the scheduler; runs as one task;
/// ends when everything it claimed is settled, given back, or lost to another worker.
///
/// No transaction is open while the provider works: reading, sending and writing are steps of their own.
struct DeliveryRun: Sendable {
  let scope: TenantScope
  let lane: Lane
  let worker: WorkerID
  let queue: any DeliveryQueue
  let provider: any PushProvider
  let keyring: any Keyring
  let settings: WorkerSettings
  let leases: LeaseKeeper
  let health: AppHealth
  let events: WorkerEvents

  func perform() async -> FairScheduler.RunEnd {
    let claim: Claim?
    do {
      claim = try await queue.claim(
        ClaimRequest(
          worker: worker, lane: lane,
          limit: lane == .transactional ? settings.transactionalClaim : settings.bulkClaim,
          sliceSize: settings.sliceSize, lease: settings.lease),
        in: scope)
    } catch {
      events.storeFailed("claim", error)
      return .failed
    }
    guard let claim, !claim.batches.isEmpty else { return .nothing }
    let registration = leases.add(claim.batches.map(\.lease), of: scope)
    defer { leases.remove(registration) }
    do {
      let recipients = try await work(on: claim)
      return .worked(recipients: max(recipients, claim.batches.count))
    } catch {
      // Nothing was sent, or everything that was is settled: the rest goes back and is claimed again.
      events.storeFailed("run", error)
      await giveBack(claim)
      return .failed
    }
  }

  /// Throws only before anything has been sent.
  private func work(on claim: Claim) async throws -> Int {
    guard let credential = claim.credential else {
      try await queue.hold(.credential, reason: .credentialMissing, in: scope)
      try await queue.release(claim.batches.map(\.lease), after: Seconds(0), in: scope)
      return 0
    }
    let signer = try await keyring.signer(for: scope)
    let audience = try await queue.audience(of: claim.batches, in: scope)
    let plan = DeliveryPlan(
      claim: claim, credential: credential, audience: audience, app: scope.app, signer: signer, now: .now()
    ) { message in
      do {
        return try provider.compile(message)
      } catch {
        events.notRenderable(message.id)
        return nil
      }
    }
    await send(plan, of: claim)
    return plan.recipients
  }

  private func send(_ plan: DeliveryPlan, of claim: Claim) async {
    let sentAt = Timestamp.now()
    var first = Settlement()
    first.deliveries = plan.settled
    first.missing = plan.missing
    let boxes = plan.groups.map { _ in ResultBox() }
    let settler = Settler(run: self, sentAt: sentAt, groups: plan.groups, boxes: boxes)
    await withTaskGroup(of: Void.self) { tasks in
      let flusher = Task { await settler.flushRegularly() }
      for (group, box) in zip(plan.groups, boxes) {
        tasks.addTask { await provider.send(group.group) { box.append($0) } }
      }
      await tasks.waitForAll()
      flusher.cancel()
      await flusher.value
    }
    await settler.finish(claim.batches.map(\.lease), with: first)
  }

  private func giveBack(_ claim: Claim) async {
    do {
      try await queue.release(claim.batches.map(\.lease), after: Seconds(1), in: scope)
    } catch {
      // The leases run out by themselves; another worker rescues them.
      events.storeFailed("release", error)
    }
  }
}

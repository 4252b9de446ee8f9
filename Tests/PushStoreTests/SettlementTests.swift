import Postgres
import PushCore
import TestSupport
import Testing

@testable import PushStore

@Suite struct SettlementTests {
  private func member(_ number: Int) -> InstallationID { InstallationID(UInt128(number) + 1) }

  @Test func everyOutcomeIsCountedAndRead() async throws {
    try await withStore { f in
      let id = try await f.send(to: .users(["a"]))
      let batch = try await f.claim()!.batches[0]
      var settlement = Settlement()
      let dueAt = try await f.store.message(id, in: f.tenant).createdAt
      let late = Timestamp(microseconds: dueAt.microseconds + 250_000)
      settlement.deliveries = [
        batch.settled(member(0), .accepted, at: late), batch.settled(member(1), .accepted, at: late),
        batch.settled(member(2), .failed, reason: Reason(rawValue: "BadDeviceToken")),
        batch.settled(member(3), .expired, reason: .expired), batch.settled(member(4), .cancelled, reason: .cancelled),
        batch.settled(member(5), .suppressed, reason: .noPermission),
      ]
      settlement.missing = [(lease: batch.lease, reason: .noDevice, count: 3)]
      settlement.finished = [batch.lease]
      #expect(try await f.store.settle(settlement, in: f.tenant).isEmpty)
      let report = try await f.store.message(id, in: f.tenant)
      #expect(report.status == .done && report.finishedAt != nil)
      var counts = MessageCounts()
      counts.targeted = 9
      counts.accepted = 2
      counts.failed = 1
      counts.expired = 1
      counts.cancelled = 1
      counts.suppressed = 4
      #expect(report.counts == counts)
      #expect(report.failedBy == [Reason(rawValue: "BadDeviceToken"): 1])
      #expect(report.suppressedBy == [.noPermission: 1, .noDevice: 3])
      #expect((250...300).contains(report.latency!.p50Milliseconds))
      let page = try await f.store.deliveries(
        of: id, state: .failed, userID: nil, PageRequest(limit: 10, after: nil), in: f.tenant)
      #expect(page.elements.map(\.installation) == [member(2)])
      #expect(page.elements[0].apnsID == 7 && page.elements[0].reason?.rawValue == "BadDeviceToken")
      let first = try await f.store.deliveries(
        of: id, state: nil, userID: nil, PageRequest(limit: 4, after: nil), in: f.tenant)
      #expect(first.elements.count == 4 && first.next != nil)
      let rest = try await f.store.deliveries(
        of: id, state: nil, userID: nil, PageRequest(limit: 4, after: first.next), in: f.tenant)
      #expect(rest.elements.map(\.installation) == [member(4), member(5)])
    }
  }

  @Test func twoLastBatchesSettledAtOnceFinishTheMessage() async throws {
    try await withStore { f in
      let other = f.anotherStore()
      for round in 0..<15 {
        let id = try await f.send(to: .users((0..<1500).map { "u\(round)-\($0)" }))
        let batches = try await f.claim()!.batches
        #expect(batches.count == 2)
        async let first = f.store.settle(batches[0].accepted([]), in: f.tenant)
        async let second = other.settle(batches[1].accepted([]), in: f.tenant)
        _ = try await (first, second)
        #expect(try await f.store.message(id, in: f.tenant).status == .done)
      }
    }
  }

  @Test func theSameBatchSettledTwiceAtOnceCountsOnce() async throws {
    try await withStore { f in
      let other = f.anotherStore()
      let id = try await f.send(to: .users(["a"]))
      let batch = try await f.claim()!.batches[0]
      var settlement = Settlement()
      settlement.deliveries = (0..<500).map { batch.settled(member($0)) }
      settlement.finished = [batch.lease]
      let both = settlement
      async let first = f.store.settle(both, in: f.tenant)
      async let second = other.settle(both, in: f.tenant)
      let lost = try await [first, second]
      #expect(lost.count { $0.isEmpty } == 1 && lost.contains([batch.lease.batch]))
      #expect(try await f.store.message(id, in: f.tenant).counts.accepted == 500)
    }
  }

  @Test(arguments: [1, 2, 300]) func aDeliveryReportedTwiceForASliceIsCountedOnce(_ size: Int) async throws {
    try await withStore { f in
      try await f.fill(size)
      let id = try await f.send(to: .all, lane: .bulk)
      let batch = try await f.claim(.bulk)!.batches[0]
      let members = try await f.store.audience(of: [batch], in: f.tenant).members
      var first = Settlement()
      first.deliveries = members.map { batch.settled($0.installation) }
      #expect(try await f.store.settle(first, in: f.tenant).isEmpty)
      var again = first
      again.deliveries = members.map { batch.settled($0.installation, .failed) } + first.deliveries
      again.finished = [batch.lease]
      #expect(try await f.store.settle(again, in: f.tenant).isEmpty)
      let counts = try await f.store.message(id, in: f.tenant).counts
      #expect(counts.accepted == size && counts.failed == 0)
    }
  }

  @Test func retriesAreBatchesOfTheirOwnAndSeenAsRetrying() async throws {
    try await withStore { f in
      let ann = try await f.register(1, user: "ann")
      let id = try await f.send(to: .users(["ann"]))
      let batch = try await f.claim()!.batches[0]
      var settlement = Settlement()
      settlement.retries = [
        Retry(
          lease: batch.lease, message: id, lane: .transactional, installations: [ann.id], attempts: 1,
          delay: Seconds(600))
      ]
      settlement.finished = [batch.lease]
      #expect(try await f.store.settle(settlement, in: f.tenant).isEmpty)
      let waiting = try await f.store.message(id, in: f.tenant)
      #expect(waiting.status == .sending && waiting.counts.retrying == 1 && waiting.counts.targeted == 0)
      #expect(try await f.claim() == nil)
      try await f.database.pool.execute("UPDATE batches SET due_at = now()")
      let retry = try await f.claim()!.batches[0]
      #expect(retry.attempts == 1 && retry.part == .installations([ann.id]))
      let audience = try await f.store.audience(of: [retry], in: f.tenant)
      #expect(audience.members.map(\.installation) == [ann.id])
      _ = try await f.store.settle(retry.accepted(audience.members), in: f.tenant)
      let done = try await f.store.message(id, in: f.tenant)
      #expect(done.status == .done && done.counts.retrying == 0 && done.counts.accepted == 1)
    }
  }

  @Test func aTokenIsRetiredUnlessItWasConfirmedOrReplacedSince() async throws {
    try await withStore { f in
      let dead = try await f.register(1)
      let confirmed = try await f.register(2)
      let replaced = try await f.register(3)
      let message = try await f.send(to: .installations([dead.id, confirmed.id, replaced.id]))
      let batch = try await f.claim()!.batches[0]
      let reason = Reason(rawValue: "Unregistered")
      func retirement(_ installation: Installation, _ deadSince: Timestamp) -> TokenRetirement {
        TokenRetirement(
          lease: batch.lease, installation: installation.id, token: installation.registration.token!,
          deadSince: deadSince, reason: reason)
      }
      _ = try await f.store.register(.test(3, token: 33), identity: .unchanged, knownEpoch: nil, in: f.tenant)
      var settlement = Settlement()
      settlement.retirements = [
        retirement(dead, dead.registeredAt),
        retirement(confirmed, Timestamp(microseconds: confirmed.registeredAt.microseconds - 1)),
        retirement(replaced, Timestamp.now().advanced(bySeconds: 60)),
      ]
      settlement.finished = [batch.lease]
      #expect(try await f.store.settle(settlement, in: f.tenant).isEmpty)
      #expect(try await f.store.installation(dead.id, in: f.tenant).retirement?.reason == reason)
      #expect(try await f.store.installation(confirmed.id, in: f.tenant).retirement == nil)
      #expect(try await f.store.installation(replaced.id, in: f.tenant).retirement == nil)
      #expect(try await f.store.message(message, in: f.tenant).status == .done)
    }
  }

  @Test func aLostBatchIsLeftOutWholeAndTheOthersAreWritten() async throws {
    try await withStore { f in
      let first = try await f.send(to: .users(["a"]))
      let second = try await f.send(to: .users(["b"]))
      let batches = try await f.claim()!.batches
      let lost = batches.first { $0.message == first }!
      let kept = batches.first { $0.message == second }!
      try await f.store.release([lost.lease], after: Seconds(600), in: f.tenant)
      var settlement = Settlement()
      settlement.deliveries = [lost.settled(member(1)), kept.settled(member(2))]
      settlement.missing = [(lease: lost.lease, reason: .noDevice, count: 1)]
      settlement.retries = [
        Retry(
          lease: lost.lease, message: first, lane: .bulk, installations: [member(3)], attempts: 1, delay: Seconds(1))
      ]
      settlement.finished = [lost.lease, kept.lease]
      #expect(try await f.store.settle(settlement, in: f.tenant) == [lost.lease.batch])
      #expect(try await f.store.message(first, in: f.tenant).counts == MessageCounts())
      #expect(try await f.store.message(second, in: f.tenant).status == .done)
      #expect(try await f.count("SELECT count(*) FROM batches") == 1)
    }
  }

  @Test func anotherTenantsLeaseIsLost() async throws {
    try await withStore { f in
      let second = try await f.makeApp()
      _ = try await f.send(to: .users(["a"]))
      let batch = try await f.claim()!.batches[0]
      #expect(try await f.store.settle(batch.accepted([]), in: second) == [batch.lease.batch])
      #expect(try await f.store.extendLeases(of: [batch.lease], by: Seconds(9), in: second) == [batch.lease.batch])
      try await f.store.release([batch.lease], after: Seconds(0), in: second)
      #expect(try await f.store.settle(batch.accepted([]), in: f.tenant).isEmpty)
    }
  }

  @Test func anAcceptedPushVerifiesTheCredential() async throws {
    try await withStore { f in
      let credential = APNsCredential(
        teamID: "T", keyID: "K", bundleID: "b", key: SigningKey(pem: [1]), fingerprint: "f")
      _ = try await f.store.setCredential(credential, in: f.tenant)
      _ = try await f.send(to: .users(["a"]))
      let batch = try await f.claim()!.batches[0]
      var settlement = batch.accepted([])
      settlement.credentialAccepted = true
      _ = try await f.store.settle(settlement, in: f.tenant)
      #expect(try await f.store.credential(in: f.tenant).status == .verified)
    }
  }
}

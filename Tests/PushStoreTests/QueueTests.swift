import Postgres
import PushCore
import TestSupport
import Testing

@testable import PushStore

@Suite struct QueueTests {
  @Test func aClaimHasAllThatSendingNeeds() async throws {
    try await withStore { f in
      let ann = try await f.register(1, user: "ann")
      let id = try await f.send(to: .users(["ann", "nobody"]))
      let claim = try await f.claim()!
      #expect(claim.batches.count == 1 && claim.batches[0].attempts == 0)
      let message = claim.messages[id]!
      #expect(message.content.text.body == "Hello" && message.app == f.app.id)
      #expect(message.expiresAt == message.dueAt.advanced(bySeconds: 86_400))
      let audience = try await f.store.audience(of: claim.batches, in: f.tenant)
      #expect(audience.members.map(\.installation) == [ann.id])
      #expect(audience.members[0].token == ann.registration.token && audience.members[0].userID == "ann")
      #expect(audience.missing == [0: 1])
      #expect(try await f.claim() == nil, "what is claimed is not due")
      let report = try await f.store.message(id, in: f.tenant)
      #expect(report.status == .sending && report.startedAt != nil)
    }
  }

  @Test func lanesAreClaimedApart() async throws {
    try await withStore { f in
      _ = try await f.send(to: .all, lane: .bulk)
      #expect(try await f.claim(.transactional) == nil)
      #expect(try await f.claim(.bulk) != nil)
    }
  }

  @Test func manyBatchesOfOneClaimAreResolvedTogether() async throws {
    try await withStore { f in
      var expected: Set<InstallationID> = []
      for number in 0..<20 { expected.insert(try await f.register(number, user: "u\(number)").id) }
      for number in 0..<20 { _ = try await f.send(to: .users(["u\(number)"])) }
      let claim = try await f.claim()!
      #expect(claim.batches.count == 20)
      let audience = try await f.store.audience(of: claim.batches, in: f.tenant)
      #expect(Set(audience.members.map(\.installation)) == expected)
      #expect(Set(audience.members.map(\.batch)) == Set(0..<20))
    }
  }

  @Test func namedInstallationsComeRetiredTooAndUsersDoNot() async throws {
    try await withStore { f in
      let installation = try await f.register(1, user: "ann")
      try await f.store.delete(as: try await f.device(installation.id))
      _ = try await f.send(to: .users(["ann"]))
      _ = try await f.send(to: .installations([installation.id, .make()]))
      let claim = try await f.claim()!
      let audience = try await f.store.audience(of: claim.batches, in: f.tenant)
      #expect(audience.members.map(\.isRetired) == [true])
      #expect(audience.missing.values.sorted() == [1, 1])
    }
  }

  @Test func aDeviceThatChangedHandsIsTheNewPersons() async throws {
    try await withStore { f in
      let installation = try await f.register(1, user: "ann")
      _ = try await f.send(to: .users(["ann"]))
      let claim = try await f.claim()!
      _ = try await f.store.setUser("bob", knownEpoch: nil, as: try await f.device(installation.id))
      #expect(try await f.store.audience(of: claim.batches, in: f.tenant).members.isEmpty)
    }
  }

  @Test func everybodyIsWhoHadRegisteredBefore() async throws {
    try await withStore { f in
      let before = try await f.register(1)
      _ = try await f.send(to: .all, lane: .bulk)
      _ = try await f.register(2)
      let claim = try await f.claim(.bulk)!
      let audience = try await f.store.audience(of: claim.batches, in: f.tenant)
      #expect(audience.members.map(\.installation) == [before.id])
    }
  }

  @Test(.timeLimit(.minutes(2)))
  func fourClaimersCoverTenThousandInstallationsExactlyOnce() async throws {
    try await withStore { f in
      try await f.fill(10_000)
      let id = try await f.send(to: .all, lane: .bulk)
      let stores = [f.store, f.anotherStore(), f.anotherStore(), f.anotherStore()]
      let seen = try await withThrowingTaskGroup(of: [InstallationID].self) { group in
        for store in stores {
          group.addTask {
            var seen: [InstallationID] = []
            while try await f.store.message(id, in: f.tenant).status != .done {
              guard let claim = try await f.claim(.bulk, limit: 2, sliceSize: 700, on: store) else {
                await Task.yield()
                continue
              }
              for batch in claim.batches {
                let audience = try await store.audience(of: [batch], in: f.tenant)
                #expect(audience.members.count <= 700)
                seen += audience.members.map(\.installation)
                #expect(try await store.settle(batch.accepted(audience.members), in: f.tenant).isEmpty)
              }
            }
            return seen
          }
        }
        return try await group.reduce(into: []) { $0 += $1 }
      }
      #expect(seen.count == 10_000 && Set(seen).count == 10_000)
      let report = try await f.store.message(id, in: f.tenant)
      #expect(report.status == .done && report.counts.accepted == 10_000 && report.counts.targeted == 10_000)
      #expect(try await f.count("SELECT count(*) FROM deliveries") == 10_000)
      #expect(try await f.count("SELECT count(*) FROM batches") == 0)
    }
  }

  @Test func aStaleFenceChangesNothing() async throws {
    try await withStore { f in
      let installation = try await f.register(1, user: "ann")
      let id = try await f.send(to: .users(["ann"]))
      let stale = try await f.claim(lease: -1)!.batches[0]
      #expect(try await f.store.rescueExpired(as: f.authority) == 1)
      // Rescued and not yet claimed again: refused as well.
      let settlement = stale.accepted(try await f.store.audience(of: [stale], in: f.tenant).members)
      #expect(settlement.deliveries.isEmpty, "without the lease there is no audience")
      var late = Settlement()
      late.deliveries = [stale.settled(installation.id)]
      late.finished = [stale.lease]
      #expect(try await f.store.settle(late, in: f.tenant) == [stale.lease.batch])
      let fresh = try await f.claim()!.batches[0]
      #expect(fresh.lease.batch == stale.lease.batch && fresh.lease.fence > stale.lease.fence)
      #expect(try await f.store.settle(late, in: f.tenant) == [stale.lease.batch])
      #expect(try await f.store.extendLeases(of: [stale.lease], by: Seconds(60), in: f.tenant) == [stale.lease.batch])
      #expect(try await f.store.extendLeases(of: [fresh.lease], by: Seconds(60), in: f.tenant).isEmpty)
      try await f.store.release([stale.lease], after: Seconds(0), in: f.tenant)
      #expect(try await f.claim() == nil, "a stale release frees nothing")
      #expect(try await f.count("SELECT count(*) FROM deliveries") == 0)
      #expect(try await f.store.message(id, in: f.tenant).status == .sending)
    }
  }

  @Test func aRescuedBatchSkipsWhatIsSettledAndCountsNobodyTwice() async throws {
    try await withStore { f in
      let ann = try await f.register(1, user: "ann")
      let bob = try await f.register(2, user: "bob")
      let id = try await f.send(to: .users(["ann", "bob", "nobody"]))
      let first = try await f.claim(lease: -1)!.batches[0]
      var half = Settlement()
      half.deliveries = [first.settled(ann.id)]
      half.missing = [(lease: first.lease, reason: .noDevice, count: 1)]
      #expect(try await f.store.settle(half, in: f.tenant).isEmpty)
      #expect(try await f.store.rescueExpired(as: f.authority) == 1)
      let second = try await f.claim()!.batches[0]
      let audience = try await f.store.audience(of: [second], in: f.tenant)
      #expect(audience.members.map(\.installation) == [bob.id] && audience.missing.isEmpty)
      var rest = second.accepted(audience.members)
      rest.deliveries.append(second.settled(ann.id, .failed))
      rest.missing = [(lease: second.lease, reason: .noDevice, count: 1)]
      #expect(try await f.store.settle(rest, in: f.tenant).isEmpty)
      let counts = try await f.store.message(id, in: f.tenant).counts
      #expect(counts.accepted == 2 && counts.failed == 0 && counts.suppressed == 1 && counts.targeted == 3)
    }
  }

  @Test func aRescuedSliceSkipsWhatIsSettled() async throws {
    try await withStore { f in
      try await f.fill(300)
      _ = try await f.send(to: .all, lane: .bulk)
      let first = try await f.claim(.bulk, sliceSize: 200, lease: -1)!.batches[0]
      let members = try await f.store.audience(of: [first], in: f.tenant).members
      var half = Settlement()
      half.deliveries = members.prefix(150).map { first.settled($0.installation) }
      _ = try await f.store.settle(half, in: f.tenant)
      _ = try await f.store.rescueExpired(as: f.authority)
      let again = try await f.claim(.bulk, sliceSize: 200)!.batches.first { $0.lease.batch == first.lease.batch }!
      let rest = try await f.store.audience(of: [again], in: f.tenant).members
      #expect(Set(rest.map(\.installation)) == Set(members.dropFirst(150).map(\.installation)))
    }
  }

  @Test func releasedBatchesAreDueAgainWhenTheyShouldBe() async throws {
    try await withStore { f in
      _ = try await f.send(to: .users(["a"]))
      let batch = try await f.claim()!.batches[0]
      try await f.store.release([batch.lease], after: Seconds(600), in: f.tenant)
      #expect(try await f.claim() == nil)
      #expect(try await f.store.nextDue(as: f.authority)!.count > 500)
      try await f.database.pool.execute("UPDATE batches SET due_at = now()")
      #expect(try await f.claim()!.batches[0].attempts == 0)
    }
  }
}

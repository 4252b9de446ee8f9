import Postgres
import PushCore
import TestSupport
import Testing

@testable import PushStore

@Suite struct MessageTests {
  private func claim(_ key: String, _ body: UInt8 = 1) -> IdempotencyClaim {
    IdempotencyClaim(key: key, bodyHash: [body])
  }

  @Test func aMessageIsQueuedWithItsBatches() async throws {
    try await withStore { f in
      let users = (0..<1500).map { "u\($0)" }
      let id = try await f.send(to: .users(users + users))
      let report = try await f.store.message(id, in: f.tenant)
      #expect(report.status == .queued && report.startedAt == nil && report.counts.targeted == 0)
      #expect(try await f.store.dueWork(as: f.authority) == [DueWork(app: f.app.id, lane: .transactional, batches: 2)])
    }
  }

  @Test func aLaterMessageIsScheduledAndNotDue() async throws {
    try await withStore { f in
      let sendAt = Timestamp.now().advanced(bySeconds: 600)
      let draft = MessageDraft.test(to: .all, sendAt: sendAt, lane: .bulk)
      let created = try await f.store.create(draft, idempotency: nil, in: f.tenant).message!
      #expect(created.status == .scheduled)
      #expect(try await f.store.message(created.id, in: f.tenant).status == .scheduled)
      #expect(try await f.store.dueWork(as: f.authority).isEmpty)
      #expect(try await f.claim(.bulk) == nil)
      let asked = Timestamp.now()
      let next = try await f.store.nextDue(as: f.authority)!
      // Both clocks are this machine's; a second for rounding up.
      let atMost = (sendAt.microseconds - asked.microseconds) / 1_000_000 + 1
      let atLeast = (sendAt.microseconds - Timestamp.now().microseconds) / 1_000_000
      #expect((atLeast...atMost).contains(next.count))
    }
  }

  @Test func nothingIsDueWithinAnHourWhenNothingIsQueued() async throws {
    try await withStore { f in
      let far = MessageDraft.test(to: .all, sendAt: Timestamp.now().advanced(bySeconds: 7200))
      _ = try await f.store.create(far, idempotency: nil, in: f.tenant)
      #expect(try await f.store.nextDue(as: f.authority) == nil)
    }
  }

  @Test func aMessageToNobodyIsDone() async throws {
    try await withStore { f in
      let id = try await f.send(to: .users([]))
      let report = try await f.store.message(id, in: f.tenant)
      #expect(report.status == .done && report.finishedAt != nil && report.counts.targeted == 0)
    }
  }

  @Test func twentyParallelPostsWithOneKeyMakeOneMessage() async throws {
    try await withStore { f in
      let stores = [f.store, f.anotherStore(), f.anotherStore()]
      let results = try await withThrowingTaskGroup(of: MessageCreation.self) { group in
        for number in 0..<20 {
          group.addTask {
            try await stores[number % 3].create(.test(to: .users(["a"])), idempotency: claim("order-1"), in: f.tenant)
          }
        }
        return try await group.reduce(into: []) { $0.append($1) }
      }
      let made = results.count { if case .created = $0 { true } else { false } }
      #expect(made == 1)
      #expect(Set(results.compactMap(\.message?.id)).count == 1)
      #expect(try await f.count("SELECT count(*) FROM messages") == 1)
      #expect(try await f.count("SELECT count(*) FROM batches") == 1)
    }
  }

  @Test func aKeyWithAnotherBodyIsRefusedAndTenantsAreIndependent() async throws {
    try await withStore { f in
      let second = try await f.makeApp()
      _ = try await f.store.create(.test(to: .users(["a"])), idempotency: claim("k"), in: f.tenant)
      #expect(
        try await f.store.create(.test(to: .users(["b"])), idempotency: claim("k", 2), in: f.tenant) == .keyReused)
      let other = try await f.store.create(.test(to: .users(["b"])), idempotency: claim("k", 2), in: second)
      guard case .created = other else { return #expect(Bool(false), "another tenant's key is another key") }
    }
  }

  @Test func aKeyPastItsLifetimeIsNewAgainAndIsPruned() async throws {
    try await withStore { f in
      _ = try await f.store.create(.test(to: .users(["a"])), idempotency: claim("k"), in: f.tenant)
      _ = try await f.store.create(.test(to: .users(["a"])), idempotency: claim("other"), in: f.tenant)
      #expect(try await f.store.prune(as: f.authority) == 0)
      try await f.database.pool.execute("UPDATE idempotency_keys SET created_at = now() - interval '31 days'")
      let again = try await f.store.create(.test(to: .users(["b"])), idempotency: claim("k", 2), in: f.tenant)
      guard case .created = again else { return #expect(Bool(false), "its lifetime is over") }
      #expect(try await f.store.prune(as: f.authority) == 1)
      #expect(try await f.count("SELECT count(*) FROM idempotency_keys") == 1)
    }
  }

  @Test func theNewestMessageIsListedFirst() async throws {
    try await withStore { f in
      var sent: [MessageID] = []
      for _ in 0..<3 { sent.append(try await f.send(to: .users(["a"]))) }
      let newest = sent.sorted(by: >)
      let first = try await f.store.messages(PageRequest(limit: 2, after: nil), in: f.tenant)
      #expect(first.elements.map(\.id) == Array(newest.prefix(2)))
      let rest = try await f.store.messages(PageRequest(limit: 2, after: first.next), in: f.tenant)
      #expect(rest.elements.map(\.id) == [newest[2]] && rest.next == nil)
    }
  }

  @Test func anotherTenantsMessageIsNotFound() async throws {
    try await withStore { f in
      let second = try await f.makeApp()
      let id = try await f.send(to: .users(["a"]))
      await #expect(throws: StoreRefusal.notFound) { try await f.store.message(id, in: second) }
      await #expect(throws: StoreRefusal.notFound) {
        try await f.store.deliveries(
          of: id, state: nil, userID: nil, PageRequest(limit: 10, after: nil), in: second)
      }
      #expect(try await f.store.messages(PageRequest(limit: 10, after: nil), in: second).elements.isEmpty)
    }
  }

  @Test func aNULInOneMessageDoesNotSinkTheOthers() async throws {
    try await withStore { f in
      let results = await withTaskGroup(of: Bool.self) { group in
        for number in 0..<50 {
          group.addTask {
            let target = Target.users([number == 9 ? "a\u{0}" : "a\(number)"])
            return (try? await f.store.create(.test(to: target), idempotency: nil, in: f.tenant)) != nil
          }
        }
        return await group.reduce(into: []) { $0.append($1) }
      }
      #expect(results.count { $0 } == 49)
      let stored = try await f.count("SELECT count(*) FROM messages")
      #expect(stored == 49)
    }
  }
}

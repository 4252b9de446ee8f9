import Postgres
import PushCore
import TestSupport
import Testing

@testable import PushStore

@Suite struct ReceiptTests {
  @Test func oneReportSentFiftyTimesFromThreeProcessesCountsOnce() async throws {
    try await withStore { f in
      let installation = try await f.register(1)
      let id = try await f.send(to: .installations([installation.id]))
      let stores = [f.store, f.anotherStore(), f.anotherStore()]
      let device = try await f.device(installation.id)
      let receipt = Receipt(message: id, installation: installation.id, kind: .opened, occurredAt: nil, action: nil)
      try await withThrowingTaskGroup(of: Void.self) { group in
        for number in 0..<50 {
          group.addTask { try await stores[number % 3].record([receipt, receipt], as: device) }
        }
        try await group.waitForAll()
      }
      let counts = try await f.store.message(id, in: f.tenant).counts
      #expect(counts.opened == 1 && counts.delivered == 0)
      #expect(try await f.count("SELECT count(*) FROM receipts") == 1)
    }
  }

  @Test func aPhonesClockCountsOnlyBetweenTheMessageAndNow() async throws {
    try await withStore { f in
      let installation = try await f.register(1)
      let id = try await f.send(to: .installations([installation.id]))
      let device = try await f.device(installation.id)
      let createdAt = try await f.store.message(id, in: f.tenant).createdAt
      func receipt(_ kind: ReceiptKind, _ at: Timestamp?) -> Receipt {
        Receipt(message: id, installation: installation.id, kind: kind, occurredAt: at, action: nil)
      }
      try await f.store.record(
        [
          receipt(.delivered, createdAt.advanced(bySeconds: -86_400)),
          receipt(.opened, createdAt.advanced(bySeconds: 86_400)), receipt(.dismissed, nil),
        ], as: device)
      let batch = try await f.claim()!.batches[0]
      var settlement = Settlement()
      settlement.deliveries = [batch.settled(installation.id)]
      _ = try await f.store.settle(settlement, in: f.tenant)
      let page = try await f.store.deliveries(
        of: id, state: nil, userID: nil, PageRequest(limit: 1, after: nil), in: f.tenant)
      let times = page.elements[0].receipts
      #expect(times[.delivered] == createdAt)
      #expect(times[.opened]! > createdAt && times[.opened]! < createdAt.advanced(bySeconds: 3600))
      #expect(times[.dismissed] == times[.opened])
    }
  }

  @Test func aReceiptIsTheReportingDevicesAndForMessagesThatExist() async throws {
    try await withStore { f in
      let installation = try await f.register(1)
      let second = try await f.makeApp()
      let foreign = try await f.store.create(.test(to: .all), idempotency: nil, in: second).message!.id
      let id = try await f.send(to: .all)
      let device = try await f.device(installation.id)
      let victim = InstallationID.make()
      try await f.store.record(
        [id, foreign, .make()].map {
          Receipt(message: $0, installation: victim, kind: .opened, occurredAt: nil, action: nil)
        }, as: device)
      #expect(try await f.count("SELECT count(*) FROM receipts") == 1)
      #expect(try await f.count("SELECT count(*) FROM receipts WHERE installation_id = \(installation.id)") == 1)
      #expect(try await f.store.message(foreign, in: second).counts.opened == 0)
    }
  }
}

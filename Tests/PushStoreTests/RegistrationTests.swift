import Postgres
import PushCore
import TestSupport
import Testing

@testable import PushStore

@Suite struct RegistrationTests {
  @Test func theSameDeviceIsTheSameInstallation() async throws {
    try await withStore { f in
      var registration = Registration.test(1)
      registration.tags = JSONText(checked: Array(#"{"b":1.0,"a":"x"}"#.utf8))
      registration.permission = .provisional
      registration.platform = .ipados
      let first = try await f.store.register(registration, identity: .user("ann"), knownEpoch: nil, in: f.tenant)
      let again = try await f.store.register(.test(1, token: 2), identity: .unchanged, knownEpoch: nil, in: f.tenant)
      #expect(first.isNew && !again.isNew)
      #expect(first.installation.id == again.installation.id)
      #expect(first.installation.identityEpoch == 1 && again.installation.identityEpoch == 1)
      #expect(again.installation.userID == "ann")
      #expect(again.installation.registration.token == .test(2))
      #expect(again.installation.registration.tags == registration.tags)
      #expect(again.installation.registeredAt > first.installation.registeredAt)
      #expect(try await f.store.installation(first.installation.id, in: f.tenant) == again.installation)
    }
  }

  @Test func fiftyIdenticalRegistrationsFromThreeProcessesMakeOneInstallation() async throws {
    try await withStore { f in
      let stores = [f.store, f.anotherStore(), f.anotherStore()]
      let results = try await withThrowingTaskGroup(of: RegistrationResult.self) { group in
        for number in 0..<50 {
          group.addTask {
            try await stores[number % 3].register(.test(1), identity: .user("ann"), knownEpoch: nil, in: f.tenant)
          }
        }
        return try await group.reduce(into: []) { $0.append($1) }
      }
      #expect(Set(results.map(\.installation.id)).count == 1)
      #expect(results.count { $0.isNew } == 1)
      #expect(results.allSatisfy { $0.installation.identityEpoch == 1 })
      #expect(try await f.count("SELECT count(*) FROM installations") == 1)
    }
  }

  @Test func fiftyTokenSwapsFromThreeProcessesAllSucceedAndLeaveEachTokenLiveOnce() async throws {
    try await withStore { f in
      let stores = [f.store, f.anotherStore(), f.anotherStore()]
      try await withThrowingTaskGroup(of: Void.self) { group in
        for number in 0..<50 {
          group.addTask {
            // Two devices, two tokens, every combination, in any order.
            _ = try await stores[number % 3].register(
              .test(number % 2, token: number / 2 % 2), identity: .unchanged, knownEpoch: nil, in: f.tenant)
          }
        }
        try await group.waitForAll()
      }
      #expect(try await f.count("SELECT count(*) FROM installations") == 2)
      #expect(
        try await f.count(
          "SELECT count(*) - count(DISTINCT token) FROM installations WHERE retired_at IS NULL AND token IS NOT NULL")
          == 0)
      #expect(try await f.count("SELECT count(*) FROM installations WHERE retired_at IS NULL") >= 1)
    }
  }

  @Test func differentNewDevicesThatBringOneTokenLeaveItWithOneOfThem() async throws {
    try await withStore { f in
      let stores = [f.store, f.anotherStore(), f.anotherStore()]
      try await withThrowingTaskGroup(of: Void.self) { group in
        for number in 0..<30 {
          group.addTask {
            _ = try await stores[number % 3].register(
              .test(number, token: 1), identity: .unchanged, knownEpoch: nil, in: f.tenant)
          }
        }
        try await group.waitForAll()
      }
      #expect(try await f.count("SELECT count(*) FROM installations") == 30)
      #expect(try await f.count("SELECT count(*) FROM installations WHERE retired_at IS NULL") == 1)
      #expect(try await f.count("SELECT count(*) FROM installations WHERE retired_reason = 'replaced'") == 29)
    }
  }

  @Test func aTakenOverTokenRetiresTheOtherWhichComesBackWithANewOne() async throws {
    try await withStore { f in
      let old = try await f.register(1, user: "ann")
      let new = try await f.store.register(.test(2, token: 1), identity: .user("bob"), knownEpoch: nil, in: f.tenant)
      let retired = try await f.store.installation(old.id, in: f.tenant)
      #expect(retired.retirement?.reason == .replaced && retired.registration.token == nil)
      #expect(retired.userID == "ann", "whoever takes a token over learns and changes nothing else")
      let back = try await f.store.register(.test(1, token: 3), identity: .unchanged, knownEpoch: nil, in: f.tenant)
      #expect(back.installation.id == old.id && back.installation.retirement == nil)
      #expect(try await f.store.installation(new.installation.id, in: f.tenant).retirement == nil)
    }
  }

  @Test func theSameTokenMayLiveInBothEnvironments() async throws {
    try await withStore { f in
      let production = try await f.register(1)
      var registration = Registration.test(2, token: 1)
      registration.environment = .development
      _ = try await f.store.register(registration, identity: .unchanged, knownEpoch: nil, in: f.tenant)
      #expect(try await f.store.installation(production.id, in: f.tenant).retirement == nil)
    }
  }

  @Test func aStaleIdentityIsRefusedAndANewerOneTaken() async throws {
    try await withStore { f in
      let installation = try await f.register(1, user: "ann")
      let device = try await f.device(installation.id)
      let signedOut = try await f.store.setUser(nil, knownEpoch: 1, as: device)
      #expect(signedOut.identityEpoch == 2 && signedOut.userID == nil)
      let bob = try await f.store.setUser("bob", knownEpoch: 2, as: device)
      #expect(bob.identityEpoch == 3)
      await #expect(throws: StoreRefusal.staleIdentity) {
        try await f.store.setUser("ann", knownEpoch: 1, as: device)
      }
      await #expect(throws: StoreRefusal.staleIdentity) {
        try await f.store.register(.test(1), identity: .user("ann"), knownEpoch: 1, in: f.tenant)
      }
      #expect(try await f.store.setUser("bob", knownEpoch: 3, as: device).identityEpoch == 3)
    }
  }

  @Test func aDeviceChangesAndDeletesItself() async throws {
    try await withStore { f in
      let installation = try await f.register(1)
      let device = try await f.device(installation.id)
      var change = InstallationChange()
      change.locale = "de"
      change.permission = .denied
      let changed = try await f.store.update(change, as: device)
      #expect(changed.registration.locale == "de" && changed.registration.permission == .denied)
      #expect(changed.registeredAt == installation.registeredAt, "no token was confirmed")
      try await f.store.delete(as: device)
      try await f.store.delete(as: device)
      let deleted = try await f.store.installation(installation.id, in: f.tenant)
      #expect(deleted.retirement?.reason == .deletedByDevice)
      await #expect(throws: StoreRefusal.notFound) { try await f.store.update(change, as: device) }
    }
  }

  @Test func twoTenantsWithTheSameIdsAreTwoWorlds() async throws {
    try await withStore { f in
      let second = try await f.makeApp()
      let first = try await f.register(1, user: "ann")
      let other = try await f.store.register(.test(1), identity: .user("ann"), knownEpoch: nil, in: second)
      #expect(other.isNew && other.installation.id != first.id)
      #expect(try await f.store.installation(first.id, in: f.tenant).retirement == nil)
      await #expect(throws: StoreRefusal.notFound) { try await f.store.installation(first.id, in: second) }
      let token = try await f.store.receiptToken(for: first.id, in: f.tenant)
      #expect(try await f.store.device(presenting: token, for: second.app) == nil)
      let page = try await f.store.installations(userID: "ann", PageRequest(limit: 10, after: nil), in: second)
      #expect(page.elements.map(\.id) == [other.installation.id])
    }
  }

  @Test func pagesHaveEveryInstallationOnce() async throws {
    try await withStore { f in
      for number in 0..<7 { _ = try await f.register(number) }
      var seen: [InstallationID] = []
      var after: PageKey?
      repeat {
        let page = try await f.store.installations(userID: nil, PageRequest(limit: 3, after: after), in: f.tenant)
        #expect(page.elements.count <= 3)
        seen += page.elements.map(\.id)
        after = page.next
      } while after != nil
      #expect(seen.count == 7 && seen == seen.sorted() && Set(seen).count == 7)
    }
  }

  @Test func oneRegistrationThatCannotBeStoredDoesNotSinkTheOthers() async throws {
    try await withStore { f in
      var poisoned = Registration.test(99)
      poisoned.locale = "\u{0}"
      let results = await withTaskGroup(of: Bool.self) { group in
        for number in 0..<20 {
          let registration = number == 7 ? poisoned : .test(number)
          group.addTask {
            let result = try? await f.store.register(
              registration, identity: .unchanged, knownEpoch: nil, in: f.tenant)
            return result != nil
          }
        }
        return await group.reduce(into: []) { $0.append($1) }
      }
      #expect(results.count { $0 } == 19)
    }
  }
}

import Postgres
import PushCore
import TestSupport
import Testing

@testable import PushStore

@Suite struct TenancyTests {
  private let credential = APNsCredential(
    teamID: "TEAM123456", keyID: "KEY1234567", bundleID: "com.example.shop",
    key: SigningKey(pem: Array("pem text".utf8)), fingerprint: "abcd")

  private func newKey(_ secret: UInt8, expiresAt: Timestamp? = nil) -> NewAPIKey {
    NewAPIKey(
      name: "k", permissions: [.sendMessages, .readMessages], expiresAt: expiresAt, secret: APIKeySecret([secret]))
  }

  private func presented(_ secret: UInt8, by owner: APIKeyOwner) -> PresentedAPIKey {
    PresentedAPIKey(owner: owner, secret: [secret])
  }

  @Test func anAccountIsMadeReadRenamedAndListed() async throws {
    try await withStore { f in
      let scope = StoreFixture.operatorScope
      let second = try await f.store.createAccount(named: "B", firstKey: newKey(7), as: scope)
      #expect(try await f.store.account(second.id, as: scope).name == "B")
      let renamed = try await f.store.updateAccount(second.id, name: "C", suspension: nil, as: scope)
      #expect(renamed.name == "C" && renamed.suspendedAt == nil)
      let first = try await f.store.accounts(PageRequest(limit: 1, after: nil), as: scope)
      #expect(first.elements.map(\.id) == [f.account.id])
      let rest = try await f.store.accounts(PageRequest(limit: 1, after: first.next), as: scope)
      #expect(rest.elements.map(\.id) == [second.id] && rest.next == nil)
      await #expect(throws: StoreRefusal.notFound) { try await f.store.account(.make(), as: scope) }
    }
  }

  @Test func aSuspendedAccountsKeysAreRefusedAndComeBack() async throws {
    try await withStore { f in
      let scope = StoreFixture.operatorScope
      _ = try await f.store.createKey(newKey(9), in: f.tenant)
      _ = try await f.store.updateAccount(f.account.id, name: nil, suspension: .suspend, as: scope)
      // Another process, so that no cache of ours answers.
      let other = f.anotherStore()
      #expect(try await other.key(presented: presented(9, by: .app(f.app.id))) == nil)
      #expect(try await other.key(presented: PresentedAPIKey(owner: .account(f.account.id), secret: [1, 2, 3])) == nil)
      #expect(try await other.publicApp(f.app.id) == nil)
      _ = try await f.store.updateAccount(f.account.id, name: nil, suspension: .lift, as: scope)
      #expect(try await f.anotherStore().key(presented: presented(9, by: .app(f.app.id))) != nil)
    }
  }

  @Test func anAppIsItsAccountsOnly() async throws {
    try await withStore { f in
      let key = newKey(8)
      let other = try await f.store.createAccount(named: "Other", firstKey: key, as: StoreFixture.operatorScope)
      let otherKey = try await f.store.key(presented: presented(8, by: .account(other.id)))!
      let otherScope = AccountScope(key: otherKey, at: .now())!
      await #expect(throws: StoreRefusal.notFound) { try await f.store.app(f.app.id, as: otherScope) }
      #expect(try await f.store.apps(PageRequest(limit: 10, after: nil), as: otherScope).elements.isEmpty)
      #expect(try await f.store.apps(PageRequest(limit: 10, after: nil), as: f.owner).elements == [f.app])
      #expect(try await f.store.updateApp(name: "New", in: f.tenant).name == "New")
      #expect(try await f.store.publicApp(f.app.id)?.name == "New")
      #expect(try await f.store.publicApp(.make()) == nil)
    }
  }

  @Test func aDeletedAppIsGoneForEverybodyAndItsRowsGoInSlices() async throws {
    try await withStore { f in
      _ = try await f.register(1)
      _ = try await f.send(to: .all)
      _ = try await f.store.createKey(newKey(9), in: f.tenant)
      try await f.store.deleteApp(in: f.tenant)
      await #expect(throws: StoreRefusal.notFound) { try await f.store.deleteApp(in: f.tenant) }
      await #expect(throws: StoreRefusal.notFound) { try await f.store.app(f.app.id, as: f.owner) }
      #expect(try await f.store.publicApp(f.app.id) == nil)
      #expect(try await f.store.dueWork(as: f.authority).isEmpty)
      #expect(try await f.claim() == nil)
      #expect(try await f.store.prune(as: f.authority) == 0)
      try await f.database.pool.execute("UPDATE apps SET deleted_at = now() - interval '2 hours'")
      while try await f.store.prune(as: f.authority) > 0 {}
      #expect(try await f.count("SELECT count(*) FROM apps") == 0)
      #expect(try await f.count("SELECT count(*) FROM installations") == 0)
      #expect(try await f.count("SELECT count(*) FROM messages") == 0)
    }
  }

  @Test func aDeletedAccountTakesItsAppsAlong() async throws {
    try await withStore { f in
      try await f.store.deleteAccount(f.account.id, as: StoreFixture.operatorScope)
      #expect(try await f.store.publicApp(f.app.id) == nil)
      await #expect(throws: StoreRefusal.notFound) {
        try await f.store.createApp(named: "x", environment: .production, as: f.owner)
      }
      await #expect(throws: StoreRefusal.notFound) {
        try await f.store.deleteAccount(f.account.id, as: StoreFixture.operatorScope)
      }
    }
  }

  @Test func aKeyOfOneAppOpensNoOther() async throws {
    try await withStore { f in
      let second = try await f.makeApp()
      let key = try await f.store.createKey(newKey(9), in: f.tenant)
      #expect(try await f.store.key(presented: presented(9, by: .app(f.app.id)))?.id == key.id)
      #expect(try await f.store.key(presented: presented(9, by: .app(second.app))) == nil)
      #expect(try await f.store.keys(PageRequest(limit: 10, after: nil), in: second).elements.isEmpty)
      await #expect(throws: StoreRefusal.notFound) { try await f.store.revokeKey(key.id, in: second) }
      await #expect(throws: StoreRefusal.notFound) {
        try await f.store.rotateKey(key.id, to: APIKeySecret([1]), overlap: Seconds(1), in: second)
      }
    }
  }

  @Test func aRevokedKeyIsSeenAsRevokedHereAtOnce() async throws {
    try await withStore { f in
      let key = try await f.store.createKey(newKey(9), in: f.tenant)
      let presented = presented(9, by: .app(f.app.id))
      #expect(try await f.store.key(presented: presented)?.revokedAt == nil)
      try await f.store.revokeKey(key.id, in: f.tenant)
      let revoked = try await f.store.key(presented: presented)
      #expect(revoked?.revokedAt != nil)
      #expect(revoked.flatMap { TenantScope(key: $0, at: .now()) } == nil)
    }
  }

  @Test func rotationLetsTwoKeysLiveUntilTheOverlapEnds() async throws {
    try await withStore { f in
      let old = try await f.store.createKey(newKey(9), in: f.tenant)
      let new = try await f.store.rotateKey(old.id, to: APIKeySecret([10]), overlap: Seconds(60), in: f.tenant)
      #expect(new.id != old.id && new.permissions == old.permissions && new.expiresAt == nil)
      let first = try await f.store.key(presented: presented(9, by: .app(f.app.id)))!
      #expect(TenantScope(key: first, at: .now()) != nil)
      #expect(TenantScope(key: first, at: Timestamp.now().advanced(bySeconds: 61)) == nil)
      #expect(try await f.store.key(presented: presented(10, by: .app(f.app.id)))?.id == new.id)
      try await f.store.revokeKey(old.id, in: f.tenant)
      await #expect(throws: StoreRefusal.conflict("key_not_live")) {
        try await f.store.rotateKey(old.id, to: APIKeySecret([11]), overlap: Seconds(60), in: f.tenant)
      }
    }
  }

  @Test func theUseOfAKeyIsNotedOnceAMinute() async throws {
    try await withStore { f in
      let key = try await f.store.createKey(newKey(9), in: f.tenant)
      #expect(key.lastUsedAt == nil)
      _ = try await f.store.key(presented: presented(9, by: .app(f.app.id)))
      let used = try await f.store.keys(PageRequest(limit: 10, after: nil), in: f.tenant).elements[0].lastUsedAt
      #expect(used != nil)
      _ = try await f.anotherStore().key(presented: presented(9, by: .app(f.app.id)))
      #expect(try await f.store.keys(PageRequest(limit: 10, after: nil), in: f.tenant).elements[0].lastUsedAt == used)
    }
  }

  @Test func aCredentialIsKeptSealedAndOpensForItsAppOnly() async throws {
    try await withStore { f in
      let second = try await f.makeApp()
      #expect(try await f.store.setCredential(credential, in: f.tenant).status == .unverified)
      #expect(try await f.store.credential(in: f.tenant).fingerprint == "abcd")
      await #expect(throws: StoreRefusal.notFound) { try await f.store.credential(in: second) }
      _ = try await f.send(to: .users(["a"]))
      #expect(try await f.claim()?.credential == credential)
      // Somebody with access to the database copies the row to an app of theirs.
      try await f.database.pool.execute("UPDATE apns_credentials SET app_id = \(second.app)")
      _ = try await f.store.create(.test(to: .users(["a"])), idempotency: nil, in: second)
      let request = ClaimRequest(
        worker: .make(), lane: .transactional, limit: 1, sliceSize: 100, lease: Seconds(60))
      await #expect(throws: StoreError(.unsealable)) { try await f.store.claim(request, in: second) }
    }
  }

  @Test func aHeldAppIsNotDueUntilItsCredentialIsReplaced() async throws {
    try await withStore { f in
      _ = try await f.store.setCredential(credential, in: f.tenant)
      let message = try await f.send(to: .users(["a"]))
      try await f.store.hold(.credential, reason: Reason(rawValue: "InvalidProviderToken"), in: f.tenant)
      let held = try await f.store.credential(in: f.tenant)
      #expect(held.status == .paused && held.problem?.rawValue == "InvalidProviderToken")
      #expect(try await f.store.dueWork(as: f.authority).isEmpty)
      #expect(try await f.claim() == nil)
      #expect(try await f.store.message(message, in: f.tenant).status == .held)
      #expect(try await f.store.setCredential(credential, in: f.tenant).status == .unverified)
      #expect(try await f.store.dueWork(as: f.authority) == [DueWork(app: f.app.id, lane: .transactional, batches: 1)])
    }
  }

  @Test func withoutACredentialAClaimSaysSo() async throws {
    try await withStore { f in
      _ = try await f.store.setCredential(credential, in: f.tenant)
      try await f.store.deleteCredential(in: f.tenant)
      await #expect(throws: StoreRefusal.notFound) { try await f.store.deleteCredential(in: f.tenant) }
      _ = try await f.send(to: .users(["a"]))
      let claim = try await f.claim()
      #expect(claim != nil && claim?.credential == nil)
    }
  }
}

import PushCore
import Testing

@Suite struct ScopeTests {
  private let app = AppID.make()
  private let now = Timestamp(seconds: 1_764_626_400)

  private func key(owner: APIKeyOwner, expires: Int64? = nil, revoked: Int64? = nil) -> APIKey {
    APIKey(
      id: .make(), owner: owner, name: "k", permissions: [.sendMessages], createdAt: now,
      expiresAt: expires.map { now.advanced(bySeconds: $0) }, revokedAt: revoked.map { now.advanced(bySeconds: $0) })
  }

  @Test func aLiveKeyOfAnAppOpensThatApp() {
    let scope = TenantScope(key: key(owner: .app(app), expires: 1), at: now)
    #expect(scope?.app == app)
    #expect(scope?.permissions == [.sendMessages])
  }

  @Test func expiredAndRevokedKeysOpenNothing() {
    #expect(TenantScope(key: key(owner: .app(app), expires: 0), at: now) == nil)
    #expect(TenantScope(key: key(owner: .app(app), revoked: -1), at: now) == nil)
  }

  @Test func anAccountsKeyIsNotAnApps() {
    #expect(TenantScope(key: key(owner: .account(.make())), at: now) == nil)
    #expect(AccountScope(key: key(owner: .app(app)), at: now) == nil)
  }

  @Test func anAccountReachesOnlyItsOwnApps() throws {
    let mine = AccountID.make()
    let scope = try #require(AccountScope(key: key(owner: .account(mine)), at: now))
    func app(of account: AccountID) -> App {
      App(id: .make(), account: account, name: "a", environment: .production, createdAt: now)
    }
    #expect(TenantScope(app: app(of: mine), ownedBy: scope) != nil)
    #expect(TenantScope(app: app(of: .make()), ownedBy: scope) == nil)
  }

  @Test func presentedKeysReadBackAndPrintNoSecret() throws {
    let key = PresentedAPIKey(owner: .app(app), secret: Array("0123456789abcdefghijABCDEFGHIJ".utf8))
    let read = try #require(PresentedAPIKey(key.text))
    #expect(read.owner == .app(app))
    #expect(read.secret == key.secret)
    var dumped = ""
    dump(key, to: &dumped)
    #expect(!"\(key) \(String(reflecting: key)) \(dumped)".contains("0123456789abc"))
  }

  @Test(arguments: ["", "bpk_", "bpk_app_x_y", "xpk_app_00000000000000000000000000_0123456789012345678901"])
  func whatIsNoKeyIsNotRead(_ text: String) {
    #expect(PresentedAPIKey(text) == nil)
  }
}

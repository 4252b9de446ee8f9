import Postgres
import PushCore
import TestSupport

@testable import PushStore

/// A store over a database of its own, with one account and one app in it.
struct StoreFixture: Sendable {
  let database: TestDatabase
  let store: PostgresStore
  let account: Account
  let owner: AccountScope
  let app: App
  let tenant: TenantScope
  let authority: WorkerAuthority

  static let operatorScope = OperatorScope.authenticated(true)!

  /// What another process has: the same database, no memory in common.
  func anotherStore() -> PostgresStore { StoreFixture.makeStore(over: database) }

  static func makeStore(over database: TestDatabase) -> PostgresStore {
    PostgresStore(api: makePool(database), worker: makePool(database), sealer: TestSealer())
  }

  private static func makePool(_ database: TestDatabase) -> ConnectionPool {
    var configuration = PoolConfiguration(conninfo: database.conninfo)
    configuration.maximumConnections = 4
    configuration.acquireTimeout = .seconds(30)
    configuration.connection.queryTimeout = .seconds(30)
    return ConnectionPool(configuration)
  }

  /// A further app of the same account.
  func makeApp(named name: String = "Second") async throws -> TenantScope {
    let app = try await store.createApp(named: name, environment: .production, as: owner)
    return TenantScope(working: authority, for: app.id)
  }

  func scope(of app: AppID) -> TenantScope { TenantScope(working: authority, for: app) }

  static func make(over database: TestDatabase) async throws -> StoreFixture {
    let store = makeStore(over: database)
    let key = NewAPIKey(name: "first", permissions: [.apps, .keys], expiresAt: nil, secret: APIKeySecret([1, 2, 3]))
    let account = try await store.createAccount(named: "Shop", firstKey: key, as: operatorScope)
    let presented = PresentedAPIKey(owner: .account(account.id), secret: [1, 2, 3])
    let owner = AccountScope(key: try await store.key(presented: presented)!, at: .now())!
    let app = try await store.createApp(named: "Shop", environment: .production, as: owner)
    let authority = WorkerAuthority(worker: WorkerID.make())
    return StoreFixture(
      database: database, store: store, account: account, owner: owner, app: app,
      tenant: TenantScope(working: authority, for: app.id), authority: authority)
  }
}

/// Runs `body` with a fixture that exists only for it.
func withStore(_ body: @Sendable (StoreFixture) async throws -> Void) async throws {
  await Turnstile.shared.enter()
  do {
    try await withFixture(body)
    await Turnstile.shared.leave()
  } catch {
    await Turnstile.shared.leave()
    throw error
  }
}

private func withFixture(_ body: @Sendable (StoreFixture) async throws -> Void) async throws {
  try await withTestDatabase { database in
    let fixture = try await StoreFixture.make(over: database)
    try await body(fixture)
    await fixture.store.stop()
    await fixture.store.api.close()
    await fixture.store.worker.close()
  }
}

/// Lets a few databases exist at once: all tests start together, and sixty databases with their connections are more than the server
/// has room for.
private actor Turnstile {
  static let shared = Turnstile(6)

  private var free: Int
  private var waiting: [CheckedContinuation<Void, Never>] = []

  init(_ count: Int) { free = count }

  func enter() async {
    guard free == 0 else {
      free -= 1
      return
    }
    await withCheckedContinuation { waiting.append($0) }
  }

  /// Hands the place to who came first.
  func leave() {
    guard !waiting.isEmpty else {
      free += 1
      return
    }
    waiting.removeFirst().resume()
  }
}

/// Not a cipher: checks that what was sealed for one row is opened for no other.
struct TestSealer: Sealer {
  struct Mismatch: Error {}

  func seal(_ plain: [UInt8], binding context: [UInt8]) throws -> [UInt8] {
    [UInt8(context.count)] + context + plain.map { ~$0 }
  }

  func open(_ sealed: [UInt8], binding context: [UInt8]) throws -> [UInt8] {
    guard sealed.starts(with: [UInt8(context.count)] + context) else { throw Mismatch() }
    return sealed.dropFirst(1 + context.count).map { ~$0 }
  }
}

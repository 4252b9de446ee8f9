internal import Crypto
internal import Postgres
internal import PushStore
internal import ServiceKit

/// The store with its pools. Requests and workers have pools of their own, so that neither starves the other.
final class StoreService: Service {
  let name = "store"
  let store = Started<PostgresStore>()
  private let database: DatabaseService
  private let masterKey: Secret<[UInt8]>
  private let pools = Started<[ConnectionPool]>()

  init(database: DatabaseService, masterKey: Secret<[UInt8]>) {
    self.database = database
    self.masterKey = masterKey
  }

  func start() async throws {
    let pools = ["bolrach-api", "bolrach-worker"].map { name in
      var configuration = PoolConfiguration(conninfo: database.conninfo.value)
      configuration.connection.applicationName = name
      return ConnectionPool(configuration)
    }
    // A first answer before anything is promised.
    let answers = try await pools[0].query("SELECT 1", deadline: nil) { try $0.value(0, as: Int32.self) }
    guard answers == [1] else { throw StartError("the database does not answer") }
    self.pools.set(pools)
    store.set(PostgresStore(api: pools[0], worker: pools[1], sealer: try MasterKeySealer(masterKey)))
  }

  func stop() async -> Bool {
    await store.value.stop()
    for pool in pools.value { await pool.close() }
    return true
  }

  /// Whether the database takes writes now.
  func probe() async -> Bool {
    guard let pool = pools.ifStarted?.first else { return false }
    do {
      let isReadOnly = try await pool.query(
        "SELECT pg_is_in_recovery() OR current_setting('transaction_read_only')::boolean", deadline: .now + .seconds(2)
      ) { try $0.value(0, as: Bool.self) }
      return isReadOnly == [false]
    } catch {
      return false
    }
  }
}

/// Seals the store's secrets under the master key.
struct MasterKeySealer: Sealer {
  private let sealer: AESGCMSealer

  init(_ masterKey: Secret<[UInt8]>) throws { sealer = AESGCMSealer(try SealingKey(masterKey)) }

  func seal(_ plain: [UInt8], binding context: [UInt8]) throws -> [UInt8] {
    try sealer.seal(plain, for: AssociatedData("store", context))
  }

  func open(_ sealed: [UInt8], binding context: [UInt8]) throws -> [UInt8] {
    try sealer.open(sealed, for: AssociatedData("store", context)).exposed
  }
}

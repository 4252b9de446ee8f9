internal import EmbeddedPostgres
internal import Glibc
internal import Postgres
internal import ServiceKit

/// The PostgreSQL server of this test process: a private cluster without durability, or the local server that
/// BOLRACH_TEST_DATABASE_URL names.
///
/// One per process, started when first asked for. The private one is stopped and its directory removed at exit; should the
/// process be killed, the kernel stops the server and the next run removes the directory.
actor TestServer {
  static let shared = TestServer()

  private var starting: Task<TestServerAccess, any Error>?

  func access() async throws -> TestServerAccess {
    if let starting { return try await starting.value }
    let task = Task { try await Self.start() }
    starting = task
    return try await task.value
  }

  private static func start() async throws -> TestServerAccess {
    if let url = getenv("BOLRACH_TEST_DATABASE_URL") {
      return try TestServerAccess(administration: ConnectionString(Secret(String(cString: url))))
    }
    let directory = TestDirectory.make()
    var configuration = EmbeddedConfiguration()
    configuration.directory = directory
    configuration.durability = .none
    configuration.maximumConnections = 300
    let cluster = try await EmbeddedCluster.start(configuration)
    TestDirectory.removeAtExit(directory, cluster)
    return try TestServerAccess(administration: ConnectionString(Secret(cluster.conninfo)))
  }
}

/// How to reach the test server, and the pool that makes and drops databases on it.
struct TestServerAccess: Sendable {
  let administration: ConnectionString
  let pool: ConnectionPool

  /// Refuses a server elsewhere: tests make, break and drop databases.
  init(administration: ConnectionString) throws {
    guard administration.isLocal else { throw TestDatabaseError(description: "tests use a local server only") }
    self.administration = administration
    var configuration = PoolConfiguration(conninfo: administration.conninfo.exposed)
    configuration.maximumConnections = 4
    configuration.acquireTimeout = .seconds(60)
    configuration.connection.queryTimeout = .seconds(60)
    pool = ConnectionPool(configuration)
  }
}

package struct TestDatabaseError: Error, CustomStringConvertible {
  package let description: String
}

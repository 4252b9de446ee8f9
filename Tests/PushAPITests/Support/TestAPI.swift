import HTTP
import JSON
import Postgres
import PushCore
import PushStore
import ServiceKit
import TestSupport

@testable import PushAPI

/// The real handler over the real store in a real database, with a log that can be read.
///
/// All tests of a process share the database and stay out of each other's way: each makes an account of its own.
struct TestAPI {
  let handler: APIHandler
  let log = MemorySink()
  let provider = JudgingProvider()
  let store: PostgresStore

  static let operatorToken = "operator-token-of-the-tests"

  static func make(
    limits: RateLimits = RateLimits(), readiness: Readiness = .ready, store: PostgresStore? = nil
  ) async throws -> TestAPI {
    let known: PostgresStore
    if let store { known = store } else { known = try await SharedStore.shared.store() }
    return TestAPI(limits: limits, readiness: readiness, store: known)
  }

  private init(limits: RateLimits, readiness: Readiness, store: PostgresStore) {
    self.store = store
    var configuration = APIConfiguration(
      operatorToken: Secret(Self.operatorToken), cursorKey: Secret(Array(repeating: 7, count: 32)),
      contract: Contract.bytes, readiness: { readiness })
    configuration.limits = limits
    handler = APIHandler(
      ports: APIPorts(
        tenancy: store, installations: store, messages: store, keyring: store, provider: provider,
        inspector: ShapeInspector()),
      configuration: configuration, log: Log(level: .debug, sink: log), metrics: Metrics())
  }

  func call(
    _ method: HTTPMethod, _ path: String, _ credential: Credential = .none, body: String? = nil,
    headers: HTTPFields = [:], address: String = "192.0.2.1"
  ) async throws -> TestAnswer {
    try await call(
      method, path, credential, bytes: body.map { Array($0.utf8) }, contentType: "application/json", headers: headers,
      address: address)
  }

  func call(
    _ method: HTTPMethod, _ path: String, _ credential: Credential = .none, bytes: [UInt8]?, contentType: String,
    headers: HTTPFields = [:], address: String = "192.0.2.1"
  ) async throws -> TestAnswer {
    var fields = headers
    for (name, value) in credential.fields { fields.append(name, value) }
    if bytes != nil { fields.append("Content-Type", contentType) }
    let head = HTTPRequestHead(
      method: method, target: try RequestTarget(parsing: path.hasPrefix("/") ? path : "/push/v1/\(path)"),
      fields: fields)
    return TestAnswer(
      await handler.respond(to: HTTPRequest(head: head, body: bytes ?? [], remoteAddress: address)))
  }
}

/// What a test's request presents.
enum Credential {
  case none
  case bearer(String)
  case device(receiptToken: String, app: String)

  static let `operator` = Credential.bearer(TestAPI.operatorToken)

  var fields: HTTPFields {
    switch self {
    case .none: [:]
    case .bearer(let token): ["Authorization": "Bearer \(token)"]
    case .device(let token, let app): ["Authorization": "Bearer \(token)", "X-Bolrach-App-ID": app]
    }
  }
}

/// An answer, taken apart for expectations.
struct TestAnswer {
  let response: HTTPResponse
  let json: JSONValue

  init(_ response: HTTPResponse) {
    self.response = response
    json = (try? JSONValue(parsing: response.body)) ?? .null
  }

  var status: Int { Int(response.status.code) }
  var text: String { String(decoding: response.body, as: UTF8.self) }
  var code: String? { json["code"]?.string }
  /// `pointer code` of each field problem.
  var problems: [String] {
    json["errors"]?.array?.map { "\($0["pointer"]?.string ?? "") \($0["code"]?.string ?? "")" } ?? []
  }

  subscript(name: String) -> JSONValue? { json[name] }
  func text(_ name: String) -> String { json[name]?.string ?? "" }
}

/// One store for the process.
actor SharedStore {
  static let shared = SharedStore()
  private var making: Task<PostgresStore, any Error>?

  func store() async throws -> PostgresStore {
    if let making { return try await making.value }
    let task = Task {
      let database = try await TestDatabase.make()
      return PostgresStore(api: database.pool, worker: database.pool, sealer: BoundSealer())
    }
    making = task
    return try await task.value
  }
}

internal import CLibPQ
internal import Glibc
internal import ServiceKit

/// One connection to the server, pinned to a thread of its own.
///
/// Owned by a pool or by who called `connect`. Calls run one after another on the connection's thread. It closes with
/// `close()` or when the last reference goes; the thread ends with it.
package actor PostgresConnection: PostgresQuerying {
  /// What others may know without asking the thread.
  struct Status: Sendable {
    var socket: Int32 = -1
    var isUsable = false
    var isInTransaction = false
  }

  private let thread: ConnectionThread
  private let configuration: ConnectionConfiguration
  private var session: ServerSession?
  nonisolated let interrupt: Interrupt
  nonisolated let status = Lock(Status())

  package nonisolated var unownedExecutor: UnownedSerialExecutor { thread.asUnownedSerialExecutor() }

  private init(_ configuration: ConnectionConfiguration) throws(PostgresError) {
    interrupt = try Interrupt()
    thread = try ConnectionThread()
    self.configuration = configuration
  }

  package static func connect(_ configuration: ConnectionConfiguration) async throws -> PostgresConnection {
    let connection = try PostgresConnection(configuration)
    try await connection.open()
    return connection
  }

  isolated deinit {
    session = nil
    thread.stop()
  }

  private func open() throws {
    session = try ServerSession(connecting: configuration, interrupt: interrupt)
    publish()
  }

  /// Ends the session politely. Calls after it fail with `closed`.
  package func close() {
    session = nil
    publish()
  }

  /// Ends whatever runs at once, without waiting for the server. The connection is of no use afterwards.
  package nonisolated func abort() { interrupt.abort() }

  // MARK: Statements

  package func query<Value: Sendable>(
    _ query: Query, deadline: ContinuousClock.Instant?, decode: @Sendable (borrowing RowReader) throws -> Value
  ) async throws -> [Value] {
    try await perform(deadline) { session, operation in
      try session.run(query, &operation).decodeRows(decode)
    }
  }

  @discardableResult
  package func execute(_ query: Query, deadline: ContinuousClock.Instant?) async throws -> Int {
    try await perform(deadline) { session, operation in
      try session.run(query, &operation).affectedRows
    }
  }

  /// Runs several statements without parameters, separated by semicolons: schema changes, not data.
  package func executeScript(_ script: String, deadline: ContinuousClock.Instant? = nil) async throws {
    try await perform(deadline) { session, operation in
      _ = try session.run(script: script, &operation)
    }
  }

  /// The server process of this connection, as `pg_stat_activity.pid` has it.
  package func backendPID() throws -> Int32 {
    guard let session else { throw PostgresError(.closed) }
    return session.handle.backendPID
  }

  // MARK: For this module

  enum Cancellation {
    case followsTask
    /// For what must be done in a cancelled task too: ROLLBACK.
    case ignored
  }

  /// Runs `body` on the thread within the deadline; the task's cancellation stops the statement.
  func perform<Value>(
    _ deadline: ContinuousClock.Instant?, _ cancellation: Cancellation = .followsTask,
    _ body: (ServerSession, inout Operation) throws -> Value
  ) async throws -> Value {
    guard let session else { throw PostgresError(.closed) }
    var operation = session.beginOperation(deadline: deadline ?? .now + configuration.queryTimeout)
    switch cancellation {
    case .ignored:
      return try run(session, &operation, body)
    case .followsTask:
      try Task.checkCancellation()
      let id = operation.id
      return try await withTaskCancellationHandler {
        // `self` is what keeps this closure on the actor: one that does not capture it runs on the global executor, and
        // the compiler says nothing.
        try self.run(session, &operation, body)
      } onCancel: {
        interrupt.cancel(operation: id)
      }
    }
  }

  private func run<Value>(
    _ session: ServerSession, _ operation: inout Operation, _ body: (ServerSession, inout Operation) throws -> Value
  ) throws -> Value {
    defer { publish() }
    return try body(session, &operation)
  }

  /// Whether the connection can be used, looking at what arrived while it was idle.
  func checkAlive() -> Bool {
    defer { publish() }
    return session?.checkAlive() ?? false
  }

  /// Without asking the thread: false when something arrived on an idle connection, most likely its end.
  nonisolated var isQuiet: Bool {
    let socket = status.withLock { $0.socket }
    guard socket >= 0 else { return false }
    var descriptor = pollfd(fd: socket, events: Int16(POLLIN), revents: 0)
    return poll(&descriptor, 1, 0) == 0
  }

  private func publish() {
    let current =
      session.map { session in
        Status(
          socket: session.handle.socket, isUsable: session.isUsable,
          isInTransaction: session.handle.transactionStatus != PQTRANS_IDLE)
      } ?? Status()
    status.withLock { $0 = current }
  }
}

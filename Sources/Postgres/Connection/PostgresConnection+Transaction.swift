internal import CLibPQ
internal import ServiceKit

extension PostgresConnection {
  /// Runs `body` in a transaction: committed when it returns, rolled back when it throws (also by cancellation).
  ///
  /// Throws `outcomeUnknown` when the connection is lost during the commit, `transactionAborted` when `body` swallowed an
  /// error and the server therefore refused to commit.
  nonisolated(nonsending) package func withTransaction<Result>(
    _ isolation: IsolationLevel = .readCommitted,
    _ body: nonisolated(nonsending) (PostgresConnection) async throws -> Result
  ) async throws -> Result {
    try await begin(isolation)
    do {
      let result = try await body(self)
      try await commit()
      return result
    } catch {
      await abandonTransaction()
      throw error
    }
  }

  private func begin(_ isolation: IsolationLevel) async throws {
    try await perform(nil) { session, operation in
      guard session.handle.transactionStatus == PQTRANS_IDLE else {
        throw PostgresError(.misuse, reason: "a transaction is already open")
      }
      _ = try session.run(script: isolation.begin, &operation)
    }
  }

  private func commit() async throws {
    try await perform(nil) { session, operation in
      guard session.handle.transactionStatus != PQTRANS_IDLE || !session.isUsable else {
        throw PostgresError(.misuse, reason: "the transaction was ended from within")
      }
      do {
        let result = try session.run(script: "COMMIT", &operation)
        guard result.commandStatus == "COMMIT" else { throw PostgresError(.transactionAborted) }
      } catch let error as PostgresError where error.isConnectionLost || error.code == .closed {
        throw PostgresError(.outcomeUnknown, reason: error.reason)
      }
    }
  }

  /// Rolls back whatever is open, also in a cancelled task. A connection on which that fails is of no use afterwards.
  func abandonTransaction() async {
    let isOpen = status.withLock { $0.isUsable && $0.isInTransaction }
    guard isOpen else { return }
    do {
      try await perform(nil, .ignored) { session, operation in
        _ = try session.run(script: "ROLLBACK", &operation)
      }
    } catch {
      // The reason does not matter: the server rolls back when the session ends.
      close()
    }
  }
}

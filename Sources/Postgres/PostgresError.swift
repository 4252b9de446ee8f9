package import ServiceKit

/// What went wrong in this module.
///
/// `description` is safe to show to anyone; `debugDescription` adds the SQLSTATE, the constraint's name and, for failed
/// connections, libpq's reason. Neither ever contains SQL, values or the server's detail text.
package struct PostgresError: Error, Sendable {
  package enum Code: Sendable, Equatable {
    /// No connection could be made.
    case connectionFailed
    /// The connection ended while a statement was under way, or was found dead.
    case connectionLost
    /// The connection was lost while a commit was under way: it may have happened or not.
    case outcomeUnknown
    /// The statement did not end in time, by our clock or the server's `statement_timeout`.
    case deadlineExceeded
    /// No connection became free in time, or too many wait already.
    case poolExhausted
    /// The pool or the connection was closed.
    case closed
    /// The server refused the statement.
    case server(SQLState)
    /// A column does not hold what was asked of it.
    case decoding
    /// A transaction that a caller tried to commit had already failed and was rolled back.
    case transactionAborted
    /// A call that makes no sense in the connection's state.
    case misuse
    /// A limit of this module or memory was reached.
    case limitExceeded
  }

  package let code: Code
  /// What the statement ran into; names of the schema, never values.
  package let constraint: String?
  /// Our own or libpq's reason; no values in it.
  let reason: String?
  /// The server's primary message. It may quote values, so it is for commands whose statements hold none (migrations).
  package let serverMessage: Secret<String>?

  init(_ code: Code, reason: String? = nil, constraint: String? = nil, serverMessage: Secret<String>? = nil) {
    self.code = code
    self.reason = reason
    self.constraint = constraint
    self.serverMessage = serverMessage
  }
}

/// The server's five-character error code.
package struct SQLState: Sendable, Equatable, CustomStringConvertible {
  package let description: String

  package init(_ code: String) { description = code }

  /// The first two characters: the class of the error.
  package var category: Substring { description.prefix(2) }

  package static let uniqueViolation = SQLState("23505")
  package static let foreignKeyViolation = SQLState("23503")
  package static let checkViolation = SQLState("23514")
  package static let serializationFailure = SQLState("40001")
  package static let deadlockDetected = SQLState("40P01")
  package static let readOnlyTransaction = SQLState("25006")
  package static let queryCanceled = SQLState("57014")
  package static let lockNotAvailable = SQLState("55P03")
  package static let characterNotInRepertoire = SQLState("22021")
  package static let inFailedTransaction = SQLState("25P02")
  package static let featureNotSupported = SQLState("0A000")
  package static let invalidStatementName = SQLState("26000")
}

extension PostgresError {
  package var sqlState: SQLState? {
    guard case .server(let state) = code else { return nil }
    return state
  }

  package var isUniqueViolation: Bool { sqlState == .uniqueViolation }
  package var isForeignKeyViolation: Bool { sqlState == .foreignKeyViolation }
  package var isSerializationFailure: Bool { sqlState == .serializationFailure }
  package var isDeadlock: Bool { sqlState == .deadlockDetected }
  /// The server rolled the transaction back for reasons of concurrency: doing it again may succeed.
  package var isRetryableConflict: Bool { isSerializationFailure || isDeadlock }
  /// A standby, or a primary that was demoted or set read-only.
  package var isReadOnly: Bool { sqlState == .readOnlyTransaction }
  /// A text contained U+0000 or bytes that are not UTF-8.
  package var isInvalidText: Bool { sqlState == .characterNotInRepertoire }

  /// The connection is gone (the statement's effect may be unknown, see `Code.outcomeUnknown`), or none could be made.
  package var isConnectionLost: Bool {
    switch code {
    case .connectionFailed, .connectionLost, .outcomeUnknown: true
    // Class 08 is a connection exception (behind PgBouncer or Citus), 57P01-57P03 are shutdown and start-up.
    case .server(let state): state.category == "08" || state.description.hasPrefix("57P0")
    case .deadlineExceeded, .poolExhausted, .closed, .decoding, .transactionAborted, .misuse, .limitExceeded: false
    }
  }

  /// The database cannot be used at the moment and nothing is wrong with the request: answer "try again later".
  package var isUnavailable: Bool {
    switch code {
    case .poolExhausted, .deadlineExceeded, .closed: true
    // Class 53 is insufficient resources: too many connections, disk full.
    case .server(let state): isConnectionLost || isReadOnly || state.category == "53" || isRetryableConflict
    case .connectionFailed, .connectionLost, .outcomeUnknown: true
    case .decoding, .transactionAborted, .misuse, .limitExceeded: false
    }
  }
}

extension PostgresError: CustomStringConvertible, CustomDebugStringConvertible {
  package var description: String {
    switch code {
    case .connectionFailed: "PostgreSQL: no connection"
    case .connectionLost: "PostgreSQL: connection lost"
    case .outcomeUnknown: "PostgreSQL: connection lost during commit, outcome unknown"
    case .deadlineExceeded: "PostgreSQL: deadline exceeded"
    case .poolExhausted: "PostgreSQL: no free connection"
    case .closed: "PostgreSQL: closed"
    case .server(let state): "PostgreSQL: statement refused (\(state))"
    case .decoding: "PostgreSQL: unexpected column"
    case .transactionAborted: "PostgreSQL: transaction already failed"
    case .misuse: "PostgreSQL: call not possible in this state"
    case .limitExceeded: "PostgreSQL: limit exceeded"
    }
  }

  package var debugDescription: String {
    var text = description
    if let constraint { text += ", constraint \(constraint)" }
    if let reason { text += ": \(reason)" }
    return text
  }
}

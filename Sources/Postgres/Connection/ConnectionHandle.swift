internal import CLibPQ
internal import Glibc
internal import ServiceKit

/// Owns one `PGconn`: made connected and non-blocking, freed exactly once.
///
/// Lives inside a `ServerSession`, on its connection's thread only.
struct ConnectionHandle: ~Copyable {
  let raw: OpaquePointer

  /// Blocks for at most `connectTimeout` per host and address.
  ///
  /// The blocking call is chosen on purpose: only with it does libpq keep a timeout per host and go on to the next one,
  /// and the thread is the connection's own.
  init(connecting configuration: ConnectionConfiguration) throws(PostgresError) {
    // libpq lets the later of two equal keys win, so what stands in the user's own string overrides ours.
    let parameters = [
      ("fallback_application_name", configuration.applicationName),
      ("connect_timeout", String(max(2, configuration.connectTimeout.components.seconds))),
      ("keepalives_idle", "20"),
      ("keepalives_interval", "5"),
      ("keepalives_count", "3"),
      ("tcp_user_timeout", "30000"),
      ("dbname", configuration.conninfo.exposed),
      ("client_encoding", "UTF8"),
    ]
    let connection = withCStrings(parameters.map(\.0)) { keys in
      withCStrings(parameters.map(\.1)) { values in PQconnectdbParams(keys, values, 1) }
    }
    guard let connection else { throw PostgresError(.limitExceeded, reason: "out of memory") }
    // Notices would go to standard error.
    PQsetNoticeReceiver(connection, { _, _ in }, nil)
    guard PQstatus(connection) == CONNECTION_OK, PQsetnonblocking(connection, 1) == 0 else {
      let reason = String(cString: PQerrorMessage(connection))
      PQfinish(connection)
      throw PostgresError(.connectionFailed, reason: reason)
    }
    raw = connection
  }

  deinit { PQfinish(raw) }

  var socket: Int32 { PQsocket(raw) }
  var isConnected: Bool { PQstatus(raw) == CONNECTION_OK }
  var backendPID: Int32 { PQbackendPID(raw) }
  var transactionStatus: PGTransactionStatusType { PQtransactionStatus(raw) }

  /// The error of a libpq call that returned failure.
  borrowing func failure() -> PostgresError {
    guard isConnected else { return PostgresError(.connectionLost) }
    return PostgresError(.misuse, reason: "libpq refused a call")
  }
}

/// Calls `body` with a null-terminated array of C strings that lives as long as the call.
private func withCStrings<Result>(_ strings: [String], _ body: (UnsafePointer<UnsafePointer<CChar>?>) -> Result)
  -> Result
{
  let copies = strings.map { strdup($0) }
  defer { for copy in copies { free(copy) } }
  let pointers = copies.map { UnsafePointer<CChar>($0) } + [nil]
  return pointers.withUnsafeBufferPointer { body($0.baseAddress!) }
}

internal import CLibPQ
internal import ServiceKit

/// Owns one `PGresult`; lives in one function on the connection's thread.
struct ResultHandle: ~Copyable {
  let raw: OpaquePointer

  init(taking raw: OpaquePointer) { self.raw = raw }

  deinit { PQclear(raw) }

  var status: ExecStatusType { PQresultStatus(raw) }
  var rowCount: Int32 { PQntuples(raw) }
  var commandStatus: String { String(cString: PQcmdStatus(raw)) }

  /// Rows changed, or rows returned by a SELECT; 0 for statements that have neither.
  var affectedRows: Int { Int(String(cString: PQcmdTuples(raw))) ?? 0 }

  /// The server's error, or nil for a success.
  borrowing func failure() -> PostgresError? {
    switch status {
    case PGRES_FATAL_ERROR, PGRES_BAD_RESPONSE, PGRES_NONFATAL_ERROR: break
    default: return nil
    }
    // Without a SQLSTATE the message is libpq's own: the socket failed or closed.
    guard let state = field(BOLRACH_DIAG_SQLSTATE) else { return PostgresError(.connectionLost) }
    return PostgresError(
      .server(SQLState(state)), constraint: field(BOLRACH_DIAG_CONSTRAINT_NAME),
      serverMessage: field(BOLRACH_DIAG_MESSAGE_PRIMARY).map { Secret($0) })
  }

  private borrowing func field(_ name: Int32) -> String? {
    PQresultErrorField(raw, name).map { String(cString: $0) }
  }

  borrowing func decodeRows<Value>(_ decode: (borrowing RowReader) throws -> Value) throws -> [Value] {
    let count = rowCount
    var values: [Value] = []
    values.reserveCapacity(Int(count))
    let columns = PQnfields(raw)
    for row in 0..<count {
      values.append(try decode(RowReader(result: raw, row: row, columnCount: columns)))
    }
    return values
  }
}

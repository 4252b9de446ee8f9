internal import CLibPQ
internal import Glibc

/// COPY FROM STDIN.
extension ServerSession {
  /// The number of rows copied.
  func copyIn(
    _ statement: String, columnCount: Int, _ operation: inout Operation, _ rows: (inout CopyWriter) throws -> Void
  ) throws -> Int {
    try requireUsable()
    guard PQsendQuery(handle.raw, statement) == 1 else { throw sendFailure() }
    try startCopy(&operation)
    var writer = CopyWriter(self, columnCount: columnCount, operation)
    do {
      try rows(&writer)
      try writer.finish()
      operation = writer.operation
    } catch {
      operation = writer.operation
      try abandonCopy(&operation, because: error)
    }
    try endCopy(nil, &operation)
    return try finish(&operation).affectedRows
  }

  private func startCopy(_ operation: inout Operation) throws {
    guard let result = try nextResult(&operation) else { throw lost() }
    guard result.status != PGRES_COPY_IN else { return }
    let failure = result.failure() ?? PostgresError(.misuse, reason: "the server expects no COPY data")
    // Reads the end of the statement; its error is the one in hand.
    _ = try? finish(&operation)
    throw stopped(operation, otherwise: failure)
  }

  /// Tells the server to forget the rows so far and throws: `reason`, unless the server had refused a row before.
  private func abandonCopy(_ operation: inout Operation, because reason: any Error) throws -> Never {
    guard isUsable else { throw reason }
    try endCopy("abandoned", &operation)
    do {
      _ = try finish(&operation)
    } catch let error as PostgresError where error.sqlState != .queryCanceled && error.code != .deadlineExceeded {
      throw error
    } catch {
      throw reason
    }
    throw reason
  }

  private func endCopy(_ failure: String?, _ operation: inout Operation) throws(PostgresError) {
    while true {
      switch PQputCopyEnd(handle.raw, failure) {
      case 1: return
      case 0: try waitToSend(&operation)
      default: throw sendFailure()
      }
    }
  }

  /// Hands one buffer to the kernel completely, so that memory stays bounded however many rows come.
  func sendCopyData(_ buffer: WireBuffer, _ operation: inout Operation) throws {
    if interrupt.isCancelled(operation.id) { throw CancellationError() }
    guard .now < operation.deadline else { throw PostgresError(.deadlineExceeded) }
    while true {
      let sent = buffer.bytes.withUnsafeBytes {
        PQputCopyData(handle.raw, $0.baseAddress?.assumingMemoryBound(to: CChar.self), Int32($0.count))
      }
      if sent == 1 { break }
      guard sent == 0 else { throw sendFailure() }
      try waitToSend(&operation)
    }
    while true {
      let unsent = PQflush(handle.raw)
      guard unsent >= 0 else { throw lost() }
      guard unsent > 0 else { return }
      try waitToSend(&operation)
      try requireRunning(operation)
    }
  }

  /// Reads meanwhile: a server that has something to say may stop reading until it is heard.
  private func waitToSend(_ operation: inout Operation) throws(PostgresError) {
    try wait(for: POLLIN | POLLOUT, &operation)
    guard PQconsumeInput(handle.raw) != 0 else { throw lost() }
  }
}

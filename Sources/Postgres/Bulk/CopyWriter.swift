/// Writes the rows of a COPY in binary format.
///
/// Lent to the closure of `copyIn`, on the connection's thread. Rows gather in one buffer that is reused and sent when it
/// passes 64 KiB. Values must have exactly the column's type: the server converts nothing (an `Int` does not fit an
/// `int4`). `row()` begins a row, then every column is appended in order.
package struct CopyWriter: ~Copyable {
  private static let sendThreshold = 64 << 10
  private static let signature: [UInt8] = Array("PGCOPY\n".utf8) + [0xff, 0x0d, 0x0a, 0x00]

  private let session: ServerSession
  private let columnCount: Int
  private var buffer = WireBuffer()
  private var missingColumns = 0
  private(set) var operation: Operation

  init(_ session: ServerSession, columnCount: Int, _ operation: Operation) {
    self.session = session
    self.columnCount = columnCount
    self.operation = operation
    buffer.reserveCapacity(Self.sendThreshold + 4096)
    buffer.append(contentsOf: Self.signature)
    buffer.append(Int64(0))  // No flags, no header extension.
  }

  /// Begins a row. Throws when the one before is incomplete, when the deadline has passed, when the task was cancelled,
  /// or when the connection is lost.
  package mutating func row() throws {
    try requireCompleteRow()
    if buffer.count >= Self.sendThreshold { try send() }
    buffer.append(Int16(columnCount))
    missingColumns = columnCount
  }

  package mutating func append<Value: PostgresEncodable>(_ value: Value) {
    missingColumns -= 1
    buffer.appendSized { value.encode(into: &$0) }
  }

  /// nil is NULL.
  package mutating func append<Value: PostgresEncodable>(_ value: Value?) {
    guard let value else { return appendNull() }
    append(value)
  }

  package mutating func append<Element: PostgresEncodable>(array: [Element]) {
    missingColumns -= 1
    buffer.appendSized { $0.append(array: array) }
  }

  package mutating func appendNull() {
    missingColumns -= 1
    buffer.append(Int32(-1))
  }

  mutating func finish() throws {
    try requireCompleteRow()
    buffer.append(Int16(-1))
    try send()
  }

  private func requireCompleteRow() throws(PostgresError) {
    guard missingColumns == 0 else {
      throw PostgresError(.misuse, reason: "a row of \(columnCount) columns got \(columnCount - missingColumns)")
    }
  }

  private mutating func send() throws {
    try session.sendCopyData(buffer, &operation)
    buffer.removeAll()
  }
}

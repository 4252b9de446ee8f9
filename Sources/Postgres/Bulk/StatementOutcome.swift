/// What one statement of a pipeline gave.
///
/// A value.
package struct StatementOutcome<Value: Sendable>: Sendable {
  package let rows: [Value]
  /// Rows changed, or returned by a SELECT.
  package let affectedRows: Int
}

/// When the separate transactions of a pipeline become durable.
package enum PipelineFlush: Sendable {
  /// Each at its own commit: as many flushes of the write-ahead log as there are writing transactions.
  case each
  /// All by one flush at the end, before the call returns. Others may see a transaction before it is durable; a crash of
  /// the server in between loses it, and then the call has not returned. Only on a direct route; otherwise as `each`.
  case together
}

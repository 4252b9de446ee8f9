/// Bounds of one request, in bytes and fields.
package struct RequestLimits: Sendable {
  /// Of the request target; beyond it 414.
  package var target = 8 * 1024
  /// Of the whole head, request line and empty line included; beyond it 431.
  package var head = 16 * 1024
  /// Number of header fields; beyond it 431.
  package var fields = 100
  /// Of the body where no route says otherwise; beyond it 413.
  package var body = 256 * 1024

  package init() {}
}

internal import CNGHTTP2

/// A stream's state from its submission to its close: what was sent, and what came of the answer. Its status lives here until
/// the stream closes, because headers and body of one answer may arrive with other streams' frames between them.
struct ClientStream {
  var tag: Int32 = 0
  var id: Int32 = -1
  var isInUse = false
  /// The user has given it up: its end is not reported.
  var isCancelled = false
  var status: Int32 = 0
  /// What is left of the request's body; the user's memory.
  var output = UnsafeRawBufferPointer(start: nil, count: 0)
  var body: [UInt8] = []
  /// All bytes of the body, those not kept among them.
  var bodyLength = 0
  /// Values of the fields that the connection was asked to keep, by their place in that list.
  var kept: [[UInt8]] = []
  /// Kept for as long as nghttp2 may look at its bytes.
  var template: HeaderTemplate?
}

/// How a stream ended, as far as a resend is concerned.
package enum StreamEnd: Sendable, Hashable {
  /// With an answer.
  case answered
  /// Surely not processed: refused, or above the last stream of a GOAWAY.
  case refused
  /// The server gave it up and may have processed it.
  case reset(HTTP2ErrorCode)
  /// It closed without a status.
  case withoutHeaders
  /// The connection ended under it.
  case lost
}

/// What came as an answer. `body` is valid only during the call that hands it over.
package struct StreamAnswer {
  package let status: Int
  /// At most as much as the connection keeps.
  package let body: UnsafeRawBufferPointer
  /// All bytes that came, kept or not.
  package let bodyLength: Int
  let kept: [[UInt8]]

  /// The value of the field at this place of the connection's `keptFields`; `nil` when it did not come.
  package func field(_ place: Int) -> [UInt8]? {
    guard place < kept.count, !kept[place].isEmpty else { return nil }
    return kept[place]
  }
}

/// A GOAWAY to send, and what becomes of the connection behind it.
package struct GoAwayScript: Sendable, Hashable {
  package var lastStream: LastStream
  package var code: UInt32
  package var debugData: [UInt8]
  package var ending: Ending

  package init(
    lastStream: LastStream = .newest, code: UInt32 = 0, debugData: [UInt8] = Array(#"{"reason":"Shutdown"}"#.utf8),
    ending: Ending = .finishStreamsThenClose
  ) {
    self.lastStream = lastStream
    self.code = code
    self.debugData = debugData
    self.ending = ending
  }

  /// The last-stream-id of the frame. Streams above it are dropped without an answer, as "not processed" means.
  package enum LastStream: Sendable, Hashable {
    /// The newest stream that has arrived: everything sent so far is going to be answered.
    case newest
    /// 2^31-1, the announcement with which a graceful shutdown begins; more streams are still taken.
    case announcement
    /// 0 is "nothing was processed".
    case number(Int32)
  }

  package enum Ending: String, CaseIterable, Sendable, Hashable {
    /// Answers what is at or below the last stream, then closes.
    case finishStreamsThenClose = "finish"
    /// Answers, and leaves the socket open: a client that only watches for the end never notices.
    case keepOpen = "keep_open"
    case closeAtOnce = "close"
  }
}

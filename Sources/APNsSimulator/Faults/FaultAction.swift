/// What a fault does to one request (or to its connection).
package enum FaultAction: Sendable, Hashable {
  /// Answers with this instead of what the checks say.
  case answer(ScriptedAnswer)
  /// Judges the request and sends the answer that much later.
  case hold(milliseconds: Int)
  /// Never answers, never resets.
  case ignore
  /// RST_STREAM with this code; the push is not accepted.
  case reset(code: UInt32)
  /// Accepts the push (it reaches the phone), then cuts the connection without an answer.
  case loseAnswer
  /// Cuts the connection; the push is not accepted.
  case closeConnection
  /// Goes silent: reads nothing more from this connection and writes nothing more to it; the socket stays open.
  case blackHole
  /// Answers as judged, behind a GOAWAY.
  case goAway(GoAwayScript)
}

/// Which requests an action meets.
package struct FaultRule: Sendable, Hashable {
  package var action: FaultAction
  /// Every n-th of the requests that match; 1 is all of them.
  package var every: Int
  /// At most that many times; nil is without end.
  package var limit: Int?
  /// Only device tokens that begin so (lower-case hexadecimal).
  package var tokenPrefix: [UInt8]

  package init(_ action: FaultAction, every: Int = 1, limit: Int? = nil, tokenPrefix: String = "") {
    precondition(every > 0)
    self.action = action
    self.every = every
    self.limit = limit
    self.tokenPrefix = Array(tokenPrefix.utf8)
  }
}

package import HTTP

/// A strict HTTP/1.x request reader: a resumable state machine without I/O.
///
/// Owned by one connection and used on its loop. It is fed whatever a read brought, keeps its place between reads at
/// single-byte resolution, looks at every byte once and copies it once, so a head that trickles in is never read
/// again. What it answers depends only on the bytes, not on how they were cut. It reads one request at a time; bytes of
/// the next one are left to the caller. After a refusal it must be thrown away.
///
/// Stricter than RFC 9112 wherever leniency has let one request hide in another: CRLF only, no folding, no blank
/// before a colon, one `Host`, one `Content-Length` and never beside `Transfer-Encoding`, `chunked` as the only coding,
/// no chunk extensions and no trailers.
package struct RequestReader {
  package enum Step {
    /// All input is used up.
    case needsMore
    /// The head is whole: decide how large the body may be and call `beginBody`.
    case head(HTTPRequestHead)
    /// The request is whole; the next call begins another one.
    case request(HTTPRequestHead, body: [UInt8])
  }

  enum State {
    case start, leadingLF
    case method, target, version, requestLineCR, requestLineLF
    case fieldStart, fieldName, valueBlanks, value, valueLF, headLF
    case headComplete
    case body
    case chunkSize, chunkSizeLF, chunkData, chunkDataCR, chunkDataLF, lastChunkCR, lastChunkLF
    case requestComplete
  }

  let limits: RequestLimits
  var state = State.start
  /// Bytes the head may still have.
  var headRoom = 0
  /// Names and values of the fields, and before them the part of the request line that is being read.
  var text: [UInt8] = []
  var lines: [HTTPFields.Line] = []
  /// Where in `text` the current piece begins, and how long the name of the current field is.
  var mark = 0
  var nameLength = 0
  var method = HTTPMethod.get
  var target: RequestTarget?
  var framing = FramingFields()
  var head: HTTPRequestHead?
  var bodyLimit = 0
  var body: [UInt8] = []
  /// Bytes the body, or the current chunk, still lacks.
  var remaining = 0
  var chunkDigits = 0

  /// - Precondition: the target's limit lies under the head's, which lies under 64 KiB.
  package init(limits: RequestLimits) {
    precondition(limits.target < limits.head && limits.head < 1 << 16, "limits out of order")
    self.limits = limits
  }

  /// Whether no byte of a request has been read: the connection may be closed without harm.
  package var isIdle: Bool { state == .start }

  /// What the last head asked of the connection.
  package var keepsAlive: Bool { framing.keepsAlive }
  package var isHTTP10: Bool { framing.minorVersion == 0 }
  /// Whether the client waits for `100 Continue` before it sends the body it announced.
  package var expectsContinue: Bool { framing.expectsContinue && state != .requestComplete }

  /// Reads on from `offset` and moves it behind what was used.
  package mutating func read(_ input: Span<UInt8>, from offset: inout Int) throws(Refusal) -> Step {
    while true {
      switch state {
      case .headComplete:
        preconditionFailure("beginBody(limit:) follows a head")
      case .requestComplete:
        return finish()
      case .start, .leadingLF, .method, .target, .version, .requestLineCR, .requestLineLF, .fieldStart, .fieldName,
        .valueBlanks, .value, .valueLF, .headLF:
        guard offset < input.count else { return .needsMore }
        try readHead(input, &offset)
        if state == .headComplete, let head { return .head(head) }
      case .body, .chunkSize, .chunkSizeLF, .chunkData, .chunkDataCR, .chunkDataLF, .lastChunkCR, .lastChunkLF:
        guard offset < input.count else { return .needsMore }
        try readBody(input, &offset)
      }
    }
  }

  /// Gives the whole request away and begins anew, keeping what `keepsAlive` and `isHTTP10` say.
  private mutating func finish() -> Step {
    guard let whole = head else { preconditionFailure("a request has a head") }
    let content = body
    head = nil
    body = []
    state = .start
    return .request(whole, body: content)
  }
}

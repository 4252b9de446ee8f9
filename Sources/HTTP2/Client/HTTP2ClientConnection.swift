internal import CNGHTTP2
package import Transport

/// Hears of a client connection, always on its loop and never from within a call into the connection.
package protocol HTTP2ClientDelegate: AnyObject {
  /// The stream submitted with `tag` has ended; said exactly once for each, unless it was reset by ``HTTP2ClientConnection/reset(tag:)``.
  /// `answer` is there when `end` is `answered`.
  func connection(_ connection: HTTP2ClientConnection, ended tag: Int32, _ end: StreamEnd, answer: StreamAnswer?)
  /// ``HTTP2ClientConnection/capacity`` may have grown.
  func connectionHasCapacity(_ connection: HTTP2ClientConnection)
  /// No new streams are taken. May come more than once, with a lower last stream.
  func connection(_ connection: HTTP2ClientConnection, received goAway: GoAway)
  /// The answer to a ping came, or did not come in time.
  func connection(_ connection: HTTP2ClientConnection, pingAnswered isAlive: Bool)
  /// The last that is heard; every stream has been told of before.
  func connectionClosed(_ connection: HTTP2ClientConnection, error: TransportError?)
}

/// The client side of one HTTP/2 connection, made for millions of small requests.
///
/// On its channel's loop only; kept alive by the channel until that has closed. The delegate is not kept alive. The user owns the
/// memory of what it submits until the stream has ended; nothing is allocated for a request but what nghttp2 allocates.
package final class HTTP2ClientConnection {
  package struct Configuration: Sendable {
    /// Streams at once, whatever the server would allow.
    package var maximumStreams = 1000
    /// Bytes kept of each answer's body.
    package var maximumBody = 4096
    /// Names (lower case) of answer fields to keep.
    package var keptFields: [String] = []

    package init() {}
  }

  let session = Session(client: ClientCallbacks.table())
  let channel: Channel
  let configuration: Configuration
  let keptNames: [[UInt8]]
  weak var delegate: (any HTTP2ClientDelegate)?
  var streams: [ClientStream] = []
  var free: [Int32] = []
  /// One until the server's SETTINGS have come.
  var streamLimit = 1
  /// Submitted and not ended.
  package internal(set) var inFlight = 0
  /// Set by a GOAWAY, by running out of stream ids and by ``drain()``.
  package internal(set) var isDraining = false
  /// When bytes last came.
  package internal(set) var lastHeard: MonotonicTime
  /// Ends that came up while sending, told at the end of the cycle.
  var deferred: [(tag: Int32, end: StreamEnd)] = []
  var awaitsCycleEnd = false
  var unsentSubmissions = 0
  var pingTimer: LoopTimer?
  var isClosed = false

  /// Takes over an open channel, on its loop.
  package init(taking channel: Channel, configuration: Configuration, delegate: any HTTP2ClientDelegate) {
    self.channel = channel
    self.configuration = configuration
    self.delegate = delegate
    keptNames = configuration.keptFields.map { Array($0.utf8) }
    lastHeard = channel.loop.now
    session.setOwner(self)
    greet()
    // What has come already is read from the loop: the delegate does not hold this connection yet, and would miss it.
    channel.pauseReading()
    channel.start(self)
    channel.resumeReading()
  }

  /// How many requests may be submitted now. One until the server's SETTINGS have come.
  package var capacity: Int {
    guard !isDraining, !isClosed else { return 0 }
    return max(0, min(streamLimit, configuration.maximumStreams) - inFlight)
  }

  /// Sends no further requests, and closes when the last has ended.
  package func drain() {
    isDraining = true
    requestCycleEnd()
  }

  package func close() {
    guard !isClosed else { return }
    channel.close()
  }

  /// Asks for a sign of life; the delegate hears whether it came within `deadline`. A question that is still open is not repeated.
  package func ping(within deadline: Duration) {
    guard pingTimer == nil, !isClosed else { return }
    nghttp2_submit_ping(session.raw, UInt8(NGHTTP2_FLAG_NONE.rawValue), nil)
    pingTimer = channel.loop.schedule(after: deadline) { [weak self] in
      guard let self else { return }
      pingTimer = nil
      delegate?.connection(self, pingAnswered: false)
    }
    requestCycleEnd()
  }

  private func greet() {
    let settings = [
      nghttp2_settings_entry(settings_id: Int32(NGHTTP2_SETTINGS_ENABLE_PUSH.rawValue), value: 0),
      // Answers are small; a few large ones must not stall the rest.
      nghttp2_settings_entry(settings_id: Int32(NGHTTP2_SETTINGS_INITIAL_WINDOW_SIZE.rawValue), value: 1 << 18),
    ]
    nghttp2_submit_settings(session.raw, UInt8(NGHTTP2_FLAG_NONE.rawValue), settings, settings.count)
    nghttp2_session_set_local_window_size(session.raw, UInt8(NGHTTP2_FLAG_NONE.rawValue), 0, 1 << 24)
    requestCycleEnd()
  }
}

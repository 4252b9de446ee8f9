internal import CNGHTTP2
package import Transport

/// Hears of a server connection, always on its loop.
package protocol HTTP2ServerDelegate: AnyObject {
  /// A request is complete, or at fault and to be refused. It may be answered now, later, or never.
  func connection(_ connection: HTTP2ServerConnection, received request: HTTP2ServerRequest)
  /// A stream has closed: it was answered, or the client gave it up. Answering it does nothing any more.
  func connection(_ connection: HTTP2ServerConnection, closed stream: Int32, code: HTTP2ErrorCode)
  /// The last that is heard.
  func connectionClosed(_ connection: HTTP2ServerConnection, error: TransportError?)
}

extension HTTP2ServerDelegate {
  package func connection(_ connection: HTTP2ServerConnection, closed stream: Int32, code: HTTP2ErrorCode) {}
}

/// The server side of one HTTP/2 connection: whole requests in, answers out at any time.
///
/// On its channel's loop only; kept alive by the channel until that has closed. The delegate is not kept alive.
package final class HTTP2ServerConnection {
  package struct Configuration: Sendable {
    /// The first SETTINGS frame, in this order; `nil` leaves a setting out.
    package var headerTableSize: UInt32?
    package var maximumStreams: UInt32? = 100
    package var initialWindow: UInt32?
    package var maximumFrame: UInt32?
    package var maximumHeaderListSize: UInt32?
    package var maximumHeaderBytes = 16 * 1024
    package var maximumHeaderCount = 100
    package var maximumBody = 256 * 1024
    /// From a request's first frame to its last; `nil` waits for ever.
    package var requestTimeout: Duration?
    /// More client resets than this in a second end the connection.
    package var maximumResetsPerSecond = 200

    package init() {}
  }

  let session = Session(server: ServerCallbacks.table())
  package let channel: Channel
  let configuration: Configuration
  weak var delegate: (any HTTP2ServerDelegate)?
  var requests: [HTTP2ServerRequest] = []
  var places: [Int32: Int32] = [:]
  var free: [Int32] = []
  var awaitsCycleEnd = false
  var isClosed = false
  var isDraining = false
  /// A GOAWAY of the user's own is not the end of the connection.
  var staysOpen = false
  var highestStream: Int32 = 0
  private var resetWindow: UInt64 = 0
  private var resets = 0
  private var timeoutTimer: LoopTimer?

  /// Takes over an open channel, on its loop.
  package init(taking channel: Channel, configuration: Configuration, delegate: any HTTP2ServerDelegate) {
    self.channel = channel
    self.configuration = configuration
    self.delegate = delegate
    session.setOwner(self)
    greet()
    watchForSlowRequests()
    // What has come already is read from the loop: the delegate does not hold this connection yet, and would miss it.
    channel.pauseReading()
    channel.start(self)
    channel.resumeReading()
  }

  /// Streams that are open: not complete, being worked on, or being answered.
  package var openStreams: Int { places.count }
  package var isOpen: Bool { !isClosed }

  /// Announces a new limit of streams at once.
  package func submitSettings(maximumStreams: UInt32) {
    var entry = nghttp2_settings_entry(
      settings_id: Int32(NGHTTP2_SETTINGS_MAX_CONCURRENT_STREAMS.rawValue), value: maximumStreams)
    nghttp2_submit_settings(session.raw, UInt8(NGHTTP2_FLAG_NONE.rawValue), &entry, 1)
    requestCycleEnd()
  }

  /// Sends a GOAWAY as given, as often as asked; streams above `lastStreamID` are closed as refused. The connection stays open.
  package func submitGoAway(lastStreamID: Int32, code: HTTP2ErrorCode, debugData: [UInt8]) {
    staysOpen = true
    nghttp2_submit_goaway(
      session.raw, UInt8(NGHTTP2_FLAG_NONE.rawValue), lastStreamID, code.rawValue, debugData, debugData.count)
    requestCycleEnd()
  }

  /// The highest stream id that has been begun.
  package var lastStreamID: Int32 { highestStream }

  /// Takes no new streams; closes when the last has ended.
  package func drain() {
    guard !isDraining, !isClosed else { return }
    isDraining = true
    nghttp2_submit_goaway(
      session.raw, UInt8(NGHTTP2_FLAG_NONE.rawValue), highestStream, HTTP2ErrorCode.noError.rawValue, nil, 0)
    requestCycleEnd()
  }

  package func close() {
    guard !isClosed else { return }
    channel.close()
  }

  /// Closes when all that was written has left.
  package func closeAfterFlush() {
    write()
    channel.closeAfterFlush()
  }

  /// A client that opens and resets streams without end costs more than it is worth.
  func countReset() {
    let second = channel.loop.now.nanoseconds / 1_000_000_000
    if second != resetWindow {
      resetWindow = second
      resets = 0
    }
    resets += 1
    guard resets > configuration.maximumResetsPerSecond else { return }
    nghttp2_session_terminate_session(session.raw, HTTP2ErrorCode.enhanceYourCalm.rawValue)
  }

  private func greet() {
    let wanted: [(nghttp2_settings_id, UInt32?)] = [
      (NGHTTP2_SETTINGS_HEADER_TABLE_SIZE, configuration.headerTableSize),
      (NGHTTP2_SETTINGS_MAX_CONCURRENT_STREAMS, configuration.maximumStreams),
      (NGHTTP2_SETTINGS_INITIAL_WINDOW_SIZE, configuration.initialWindow),
      (NGHTTP2_SETTINGS_MAX_FRAME_SIZE, configuration.maximumFrame),
      (NGHTTP2_SETTINGS_MAX_HEADER_LIST_SIZE, configuration.maximumHeaderListSize),
    ]
    let settings = wanted.compactMap { id, value in
      value.map { nghttp2_settings_entry(settings_id: Int32(id.rawValue), value: $0) }
    }
    nghttp2_submit_settings(session.raw, UInt8(NGHTTP2_FLAG_NONE.rawValue), settings, settings.count)
    // Bodies are bounded by ourselves; the connection's window must not be what a thousand small ones wait for.
    nghttp2_session_set_local_window_size(session.raw, UInt8(NGHTTP2_FLAG_NONE.rawValue), 0, 1 << 24)
    requestCycleEnd()
  }

  private func watchForSlowRequests() {
    guard let timeout = configuration.requestTimeout else { return }
    timeoutTimer = channel.loop.schedule(after: timeout / 4) { [weak self] in
      guard let self, !isClosed else { return }
      let parts = timeout.components
      let limit = UInt64(parts.seconds) * 1_000_000_000 + UInt64(parts.attoseconds / 1_000_000_000)
      let now = channel.loop.now.nanoseconds
      for request in places.values.map({ self.requests[Int($0)] })
      where !request.isHandedOver && now > request.beganAt + limit {
        handOver(request, fault: .tooSlow)
      }
      watchForSlowRequests()
    }
  }

  func handOver(_ request: HTTP2ServerRequest, fault: HTTP2ServerRequest.Fault?) {
    guard !request.isHandedOver else { return }
    request.isHandedOver = true
    request.fault = fault
    delegate?.connection(self, received: request)
  }

  func ended(error: TransportError?) {
    isClosed = true
    timeoutTimer?.cancel()
    timeoutTimer = nil
    for stream in places.keys { delegate?.connection(self, closed: stream, code: .cancel) }
    places = [:]
    delegate?.connectionClosed(self, error: error)
    delegate = nil
  }
}

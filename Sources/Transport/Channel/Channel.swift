/// A TCP byte stream, in clear or under TLS, on one event loop.
///
/// Handed out open by a `Listener` or a `Connector`; its new owner calls `start(_:)`. Used on its loop's thread only, kept
/// alive by the loop until it is closed. It ends by `close`, by `closeAfterFlush`, by the peer, by an error or with its
/// loop; whichever it is, the handler hears `channelClosed` once.
///
/// Output goes through one buffer of bounded size. `write` only appends; bytes leave with `flush`, or at the end of the
/// loop's cycle after `flushSoon`. Writing more than the buffer may hold closes the channel (`outputOverflow`): a peer that
/// does not read loses its connection, not our memory. Producers that can wait look at `bufferedBytes` and continue on
/// `channelDrained`.
package final class Channel {
  enum Phase {
    case handshaking
    /// Open; reading begins with `start`.
    case open
    /// Everything is to be written, then the channel closes; input is thrown away.
    case closingAfterFlush
    /// Output has ended; input is thrown away until the peer ends too, so that it can read our last bytes (a reset would
    /// take them away).
    case lingering
    case closed
  }

  package let loop: EventLoop
  package let remoteAddress: SocketAddress?
  /// By ALPN; nil in clear or without agreement.
  package internal(set) var negotiatedProtocol: String?
  package internal(set) var id: ChannelID

  var phase: Phase
  var stream: ByteStream
  var output: OutputBuffer
  var handler: (any ChannelHandler)?
  var establishment: Establishment?

  var isReadingPaused = false
  /// The socket may have more for us: set by an event, cleared by a read that would block.
  var hasInput = false
  /// The last write would have blocked; a writable event will come.
  var isBlocked = false
  var hasInputEnded = false
  var isAwaitingCycleEnd = false
  var wantsFlush = false
  var closeError: TransportError?
  var isClosePending = false
  var lingerTimer: LoopTimer?
  private var closeObserver: (() -> Void)?

  /// Largest share of one cycle, so that a fast sender does not starve the others.
  static let readsPerCycle = 16
  /// One TLS record; larger writes do not make fewer system calls.
  static let writeSize = 16384
  static let lingerTime = Duration.seconds(1)

  init(
    loop: EventLoop, stream: consuming ByteStream, remoteAddress: SocketAddress?, maximumOutput: Int,
    phase: Phase
  ) {
    self.loop = loop
    self.stream = stream
    self.remoteAddress = remoteAddress
    self.phase = phase
    output = OutputBuffer(maximum: maximumOutput)
    id = ChannelID(descriptor: -1, generation: 0)
  }

  package var isOpen: Bool { phase == .open }

  /// Bytes written but not yet handed to the kernel.
  package var bufferedBytes: Int { output.count }

  package var maximumBufferedBytes: Int { output.maximum }

  /// Begins to deliver input and events to `handler`, which the channel keeps until it has closed.
  package func start(_ handler: any ChannelHandler) {
    assert(loop.isCurrent)
    precondition(self.handler == nil, "a channel has one handler")
    self.handler = handler
    if phase == .closed { return requestCycleEnd() }
    hasInput = true
    deliverInput()
  }

  /// Stops delivering input; the kernel's buffers fill up and the peer has to wait.
  package func pauseReading() { isReadingPaused = true }

  package func resumeReading() {
    guard isReadingPaused else { return }
    isReadingPaused = false
    guard hasInput else { return }
    // From the loop, not from here: the caller may be in the middle of handling input.
    loop.unfinished.append(self)
  }

  /// Called once when the channel has closed, after the handler; for those who count channels.
  func observeClose(_ body: @escaping () -> Void) { closeObserver = body }

  func reportClosed() {
    let handler = handler.take()
    handler?.channelClosed(self, error: closeError)
    let observer = closeObserver.take()
    observer?()
  }
}

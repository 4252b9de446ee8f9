internal import HTTP2
internal import Transport

/// One sender's connection, as Apple's side sees it: its gate, its stream limit, and what is done about each request.
///
/// On its channel's loop only; kept by its lane until the channel has closed.
final class SimulatedConnection {
  let number: UInt64
  private let core: HostCore
  private let lane: HostLane
  /// There from the end of `init` or from the first request on, whichever comes first: a client's first bytes may be handed over
  /// while the session is being made.
  private var http2: HTTP2ServerConnection?
  private var gate = ConnectionGate()
  private var announcedLimit: UInt32
  private var raw = RawAnswers()
  /// Neither answers nor reads any more.
  private var isSilent = false
  /// Closes when its last stream has ended.
  private var isFinishing = false
  /// Streams above are not answered: a GOAWAY said so.
  private var lastAnswered = Int32.max

  /// Takes over a connection that has just been accepted, on its loop.
  static func serve(_ channel: Channel, core: HostCore, lane: HostLane) {
    switch core.book.read({ $0.faults.plan.connections }) {
    case .none: _ = SimulatedConnection(taking: channel, core: core, lane: lane)
    case .closeAfterSettings:
      SimulatedConnection(taking: channel, core: core, lane: lane).http2?.closeAfterFlush()
    case .silent: SimulatedConnection(taking: channel, core: core, lane: lane).fallSilent()
    }
  }

  private init(taking channel: Channel, core: HostCore, lane: HostLane) {
    number = core.nextConnection()
    self.core = core
    self.lane = lane
    announcedLimit = core.streamLimit(isOpen: false)
    // Before the session starts, which may hear of the end at once.
    lane.add(self)
    core.book.change { $0.connectionOpened() }
    http2 = HTTP2ServerConnection(taking: channel, configuration: Self.settings(announcedLimit), delegate: self)
  }

  /// The frame seen in captures of Apple's: 4096, n, 65535, 16384, 8000.
  private static func settings(_ limit: UInt32) -> HTTP2ServerConnection.Configuration {
    var configuration = HTTP2ServerConnection.Configuration()
    configuration.headerTableSize = 4096
    configuration.maximumStreams = limit
    configuration.initialWindow = 65535
    configuration.maximumFrame = 16384
    configuration.maximumHeaderListSize = 8000
    configuration.maximumBody = 64 << 10
    // A client that gives up held streams by the thousand is what the faults are there to test.
    configuration.maximumResetsPerSecond = .max
    return configuration
  }
}

// MARK: - Requests

extension SimulatedConnection: HTTP2ServerDelegate {
  func connection(_ connection: HTTP2ServerConnection, received request: HTTP2ServerRequest) {
    http2 = connection
    guard !isSilent, request.stream <= lastAnswered else { return }
    guard core.mode != .raw else { return answerRaw(request, on: connection) }
    let arrived = ArrivedRequest(request, connection: number, at: core.clock.now())
    let reaction = core.settle(arrived, gate: &gate)
    announceLimit()
    perform(reaction, for: request.stream)
  }

  func connection(_ connection: HTTP2ServerConnection, closed stream: Int32, code: HTTP2ErrorCode) {
    guard isFinishing else { return }
    // Not from here: the session is in the middle of something.
    lane.perform(on: number) { $0.finishIfIdle() }
  }

  func connectionClosed(_ connection: HTTP2ServerConnection, error: TransportError?) {
    raw.report(to: core.book)
    lane.remove(self)
    core.book.change { $0.connectionClosed() }
  }

  private func answerRaw(_ request: HTTP2ServerRequest, on connection: HTTP2ServerConnection) {
    raw.answer(request, on: connection)
    guard raw.count == 1 else { return }
    connection.channel.loop.atEndOfCycle(self)
  }

  private func perform(_ reaction: Reaction, for stream: Int32) {
    switch reaction.step {
    case .answer(let answer): send(answer, to: stream, after: reaction.delayMilliseconds)
    case .goAwayThenAnswer(let script, let answer):
      goAway(script)
      send(answer, to: stream, after: reaction.delayMilliseconds)
    case .ignore: break
    case .reset(let code): http2?.reset(stream, code: HTTP2ErrorCode(rawValue: code))
    case .cutConnection: cut()
    case .blackHole: fallSilent()
    }
  }

  private func send(_ answer: WireAnswer, to stream: Int32, after milliseconds: Int) {
    guard milliseconds > 0, let loop = http2?.channel.loop else { return send(answer, to: stream) }
    _ = loop.schedule(after: .milliseconds(milliseconds)) { [weak self] in self?.send(answer, to: stream) }
  }

  private func send(_ answer: WireAnswer, to stream: Int32) {
    guard !isSilent, stream <= lastAnswered else { return }
    http2?.respond(
      to: stream, status: answer.status, fields: answer.headers.map { ($0.name, $0.value) }, body: answer.body)
  }
}

extension SimulatedConnection: EndOfCycleHandler {
  func endOfCycle() { raw.report(to: core.book) }
}

// MARK: - What it is told

extension SimulatedConnection {
  /// Sends SETTINGS if the limit that holds is not the one announced last.
  func announceLimit() {
    let limit = core.streamLimit(isOpen: gate.isOpen)
    guard limit != announcedLimit, !isSilent else { return }
    announcedLimit = limit
    http2?.submitSettings(maximumStreams: limit)
  }

  func goAway(_ script: GoAwayScript) {
    guard let http2, !isSilent else { return }
    let last =
      switch script.lastStream {
      case .newest: http2.lastStreamID
      case .announcement: Int32.max
      case .number(let number): number
      }
    http2.submitGoAway(
      lastStreamID: last, code: HTTP2ErrorCode(rawValue: script.code), debugData: script.debugData)
    lastAnswered = min(lastAnswered, last)
    switch script.ending {
    case .keepOpen: break
    case .finishStreamsThenClose:
      isFinishing = true
      lane.perform(on: number) { $0.finishIfIdle() }
    case .closeAtOnce: http2.closeAfterFlush()
    }
  }

  private func finishIfIdle() {
    guard isFinishing, let http2, http2.openStreams == 0 else { return }
    http2.closeAfterFlush()
  }

  func fallSilent() {
    isSilent = true
    http2?.channel.pauseReading()
  }

  func cut() { http2?.close() }
}

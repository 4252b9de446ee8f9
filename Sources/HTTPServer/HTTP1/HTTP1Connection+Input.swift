import HTTP
import Transport

extension HTTP1Connection: ChannelHandler {
  func channel(_ channel: Channel, received bytes: UnsafeRawBufferPointer) {
    let used = bytes.withMemoryRebound(to: UInt8.self) { read($0.span) }
    switch phase {
    case .reading: channel.resumeReading()
    // Reading is paused until the backlog is used up.
    case .handling, .writing: backlog.append(contentsOf: bytes[used...])
    case .closing: break
    }
  }

  func channelInputEnded(_ channel: Channel) {
    hasInputEnded = true
    // Half a request, or none: there is nothing to answer. Otherwise the answer comes first.
    guard phase == .reading else { return }
    phase = .closing
    channel.closeAfterFlush()
  }

  func channelClosed(_ channel: Channel, error: TransportError?) {
    phase = .closing
    group.remove(channel.id)
  }

  /// Reads requests until one is to be waited for. Returns how much of the input is used up.
  private func read(_ input: Span<UInt8>) -> Int {
    var offset = 0
    do throws(Refusal) {
      while phase == .reading, try advance(input, &offset) {}
    } catch {
      refuse(error)
    }
    if phase == .reading { noteProgress() }
    return offset
  }

  /// False when the input is used up.
  private func advance(_ input: Span<UInt8>, _ offset: inout Int) throws(Refusal) -> Bool {
    switch try reader.read(input, from: &offset) {
    case .needsMore:
      return false
    case .head(let head):
      let configuration = group.configuration
      try reader.beginBody(limit: configuration.bodyLimit(head) ?? configuration.limits.body)
      // A client that has sent the body already does not wait for leave to send it.
      if reader.expectsContinue, offset == input.count {
        channel.write("HTTP/1.1 100 Continue\r\n\r\n")
        channel.flushSoon()
      }
    case .request(let head, let body):
      handle(head, body)
    }
    return true
  }

  private func handle(_ head: HTTPRequestHead, _ body: [UInt8]) {
    let request = HTTPRequest(
      head: head, body: body, remoteAddress: channel.remoteAddress?.host ?? "", isSecure: isSecure,
      receivedAt: .now)
    answersHEAD = head.method == .head
    exchange &+= 1
    hasRequestBegun = false
    phase = .handling
    channel.pauseReading()
    setDeadline(after: timeouts.handler)
    task = group.start(request, from: channel.id, exchange: exchange)
    if task == nil { write(group.configuration.errorBody(.overloaded)) }
  }

  /// Starts the clock of a request with its first byte.
  private func noteProgress() {
    guard !reader.isIdle, !hasRequestBegun else { return }
    hasRequestBegun = true
    setDeadline(after: timeouts.request)
  }

  /// After an answer: reads on in what has come meanwhile, then from the socket.
  func readOn() {
    while phase == .reading, !backlog.isEmpty {
      // Held here meanwhile: a span cannot be taken from a property.
      let input = backlog
      backlog = []
      let used = read(input.span.extracting(backlogStart..<input.count))
      backlogStart += used
      if backlogStart == input.count {
        backlogStart = 0
      } else if phase != .closing {
        backlog = input
      }
    }
    guard phase == .reading else { return }
    guard !hasInputEnded else {
      phase = .closing
      return channel.closeAfterFlush()
    }
    channel.resumeReading()
  }
}

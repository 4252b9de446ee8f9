package import Transport

extension HTTP2ClientConnection: ChannelHandler, EndOfCycleHandler {
  package func channel(_ channel: Channel, received bytes: UnsafeRawBufferPointer) {
    lastHeard = channel.loop.now
    let before = capacity
    guard session.receive(bytes) else { return channel.close() }
    if capacity > before { delegate?.connectionHasCapacity(self) }
    guard !isClosed else { return }
    write()
  }

  package func channelInputEnded(_ channel: Channel) { channel.close() }

  package func channelDrained(_ channel: Channel) { write() }

  package func channelClosed(_ channel: Channel, error: TransportError?) {
    isClosed = true
    pingTimer?.cancel()
    pingTimer = nil
    for index in streams.indices where streams[index].isInUse { end(Int32(index), .lost) }
    tellDeferred()
    delegate?.connectionClosed(self, error: error)
    delegate = nil
  }

  package func endOfCycle() {
    awaitsCycleEnd = false
    guard !isClosed else { return }
    write()
    tellDeferred()
    if isDraining, inFlight == 0 { return channel.closeAfterFlush() }
  }

  func requestCycleEnd() {
    guard !awaitsCycleEnd, !isClosed else { return }
    awaitsCycleEnd = true
    channel.loop.atEndOfCycle(self)
  }

  func write() {
    unsentSubmissions = 0
    guard !isClosed else { return }
    guard session.send(into: channel) else { return channel.close() }
    if session.isOver { channel.closeAfterFlush() }
  }

  func tellDeferred() {
    guard !deferred.isEmpty else { return }
    // One at a time: what the delegate does about one may be to give up another that waits here.
    while let (tag, end) = deferred.popLast() { delegate?.connection(self, ended: tag, end, answer: nil) }
    if !isClosed, capacity > 0 { delegate?.connectionHasCapacity(self) }
  }
}

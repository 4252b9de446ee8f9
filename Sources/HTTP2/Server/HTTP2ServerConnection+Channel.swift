package import Transport

extension HTTP2ServerConnection: ChannelHandler, EndOfCycleHandler {
  package func channel(_ channel: Channel, received bytes: UnsafeRawBufferPointer) {
    let isSound = session.receive(bytes)
    guard !isClosed else { return }
    guard isSound else {
      write()
      return channel.closeAfterFlush()
    }
    write()
  }

  package func channelInputEnded(_ channel: Channel) { channel.closeAfterFlush() }

  package func channelDrained(_ channel: Channel) { write() }

  package func channelClosed(_ channel: Channel, error: TransportError?) { ended(error: error) }

  package func endOfCycle() {
    awaitsCycleEnd = false
    guard !isClosed else { return }
    write()
    if isDraining, places.isEmpty, !isClosed { channel.closeAfterFlush() }
  }

  func requestCycleEnd() {
    guard !awaitsCycleEnd, !isClosed else { return }
    awaitsCycleEnd = true
    channel.loop.atEndOfCycle(self)
  }

  func write() {
    guard !session.isInside else { return requestCycleEnd() }
    guard !isClosed else { return }
    guard session.send(into: channel) else { return channel.close() }
    if session.isOver, !staysOpen { channel.closeAfterFlush() }
  }
}

internal import CNGHTTP2
package import Transport

extension HTTP2ClientConnection: ChannelHandler, EndOfCycleHandler {
  /// Unsent bytes above this wait in the session: memory is bounded, and what is written is fresh in the cache.
  private static let writeTarget = 16384

  package func channel(_ channel: Channel, received bytes: UnsafeRawBufferPointer) {
    lastHeard = channel.loop.now
    let before = capacity
    isInsideSession = true
    let count = nghttp2_session_mem_recv(
      session.raw, bytes.baseAddress?.assumingMemoryBound(to: UInt8.self), bytes.count)
    isInsideSession = false
    guard count == bytes.count else { return channel.close() }
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

  /// Moves what the session has to say into the channel, a record at a time, as fast as the socket takes it.
  func write() {
    unsentSubmissions = 0
    while !isClosed {
      var produced = false
      while channel.bufferedBytes < Self.writeTarget {
        isInsideSession = true
        let output = session.nextOutput()
        isInsideSession = false
        guard case .bytes(let bytes) = output else {
          if case .failed = output { return channel.close() }
          break
        }
        channel.write(bytes)
        produced = true
      }
      guard produced else { break }
      channel.flush()
      // What is left waits for the socket; the channel says when it has room.
      guard channel.bufferedBytes < Self.writeTarget else { break }
    }
    if session.isOver, !isClosed { channel.closeAfterFlush() }
  }

  func tellDeferred() {
    guard !deferred.isEmpty else { return }
    // One at a time: what the delegate does about one may be to give up another that waits here.
    while let (tag, end) = deferred.popLast() { delegate?.connection(self, ended: tag, end, answer: nil) }
    if !isClosed, capacity > 0 { delegate?.connectionHasCapacity(self) }
  }
}

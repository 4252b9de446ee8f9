internal import CNGHTTP2
package import Transport

extension HTTP2ServerConnection: ChannelHandler, EndOfCycleHandler {
  private static let writeTarget = 16384

  package func channel(_ channel: Channel, received bytes: UnsafeRawBufferPointer) {
    isInsideSession = true
    let count = nghttp2_session_mem_recv(
      session.raw, bytes.baseAddress?.assumingMemoryBound(to: UInt8.self), bytes.count)
    isInsideSession = false
    guard !isClosed else { return }
    guard count == bytes.count else {
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
    guard !isInsideSession else { return requestCycleEnd() }
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
      guard channel.bufferedBytes < Self.writeTarget else { break }
    }
    if session.isOver, !isClosed, !staysOpen { channel.closeAfterFlush() }
  }
}

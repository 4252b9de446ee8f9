extension Channel: EventSource {
  func ready(_ events: Poller.Interest) {
    // Failed and ended sockets are read like any other: the read tells what happened, after the data before it.
    if !events.isDisjoint(with: [.readable, .peerEnded, .failed]) { hasInput = true }
    switch phase {
    case .handshaking: return continueHandshake()
    case .open, .closingAfterFlush: if !events.isDisjoint(with: [.writable, .failed]) { becameWritable() }
    case .lingering: break
    case .closed: return
    }
    deliverInput()
  }

  func loopStopped() { close(error: TransportError(.loopStopped)) }

  /// Reads until the socket has no more, the handler pauses, or this cycle's share is used up.
  func deliverInput() {
    guard hasInput, !hasInputEnded else { return }
    for _ in 0..<Self.readsPerCycle {
      switch phase {
      case .handshaking, .closed: return
      case .open: guard !isReadingPaused, handler != nil else { return }
      case .closingAfterFlush, .lingering: break
      }
      guard deliverOnce() else { return }
    }
    loop.unfinished.append(self)
  }

  /// False when there is nothing more to read for now. Records are gathered, so that the handler is called once per read
  /// buffer and not once per record.
  private func deliverOnce() -> Bool {
    let buffer = loop.readBuffer
    var filled = 0
    var last = ReadOutcome.bytes(0)
    while filled < buffer.count {
      last = stream.read(into: UnsafeMutableRawBufferPointer(rebasing: buffer[filled...]))
      guard case .bytes(let count) = last else { break }
      filled &+= count
    }
    if case .wouldBlock = last { hasInput = false }
    if filled > 0, phase == .open {
      handler?.channel(self, received: UnsafeRawBufferPointer(rebasing: buffer[..<filled]))
    }
    switch last {
    case .bytes: return true
    case .wouldBlock: return false
    case .ended: inputEnded()
    case .failed(let error): close(error: phase == .lingering ? nil : error)
    }
    return false
  }

  private func inputEnded() {
    hasInputEnded = true
    switch phase {
    case .open: handler?.channelInputEnded(self)
    case .lingering: close()
    case .closingAfterFlush, .handshaking, .closed: break
    }
  }
}

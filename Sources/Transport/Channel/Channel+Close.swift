extension Channel: EndOfCycleHandler {
  /// Closes at once; bytes still buffered are lost. The handler hears of it at the end of the loop's cycle.
  package func close() { close(error: nil) }

  func close(error: TransportError?) {
    loop.preconditionIsCurrent()
    guard phase != .closed else { return }
    if phase == .open, error == nil, output.count == 0 { stream.endOutput() }
    phase = .closed
    closeError = error
    lingerTimer?.cancel()
    lingerTimer = nil
    loop.deregister(id)
    stream = .closed
    output.removeAll()
    if let establishment = establishment.take() {
      establishment.end(.failure(error ?? TransportError(.cancelled)))
    }
    isClosePending = true
    requestCycleEnd()
  }

  /// Takes no more writes or input, and closes when everything is written and the peer has had the chance to read it: it
  /// is given one second to end its side.
  package func closeAfterFlush() {
    guard phase == .open else { return }
    phase = .closingAfterFlush
    isReadingPaused = false
    flush()
    guard phase == .closingAfterFlush || phase == .lingering, hasInput else { return }
    loop.unfinished.append(self)
  }

  func beginLinger() {
    stream.endOutput()
    guard !hasInputEnded else { return close() }
    phase = .lingering
    lingerTimer = loop.schedule(after: Self.lingerTime) { [unowned self] in close() }
  }

  func requestCycleEnd() {
    guard !isAwaitingCycleEnd else { return }
    isAwaitingCycleEnd = true
    loop.atEndOfCycle(self)
  }

  package func endOfCycle() {
    isAwaitingCycleEnd = false
    if wantsFlush { flush() }
    guard isClosePending, phase == .closed else { return }
    isClosePending = false
    reportClosed()
  }
}

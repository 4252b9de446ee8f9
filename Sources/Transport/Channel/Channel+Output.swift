extension Channel {
  /// Appends to the output buffer. Ignored once the channel is closing or closed.
  package func write(_ bytes: UnsafeRawBufferPointer) {
    assert(loop.isCurrent)
    guard phase == .open else { return }
    guard output.append(bytes) else { return close(error: TransportError(.outputOverflow)) }
  }

  package func write(_ bytes: [UInt8]) { bytes.withUnsafeBytes { write($0) } }

  package func write(_ text: StaticString) {
    write(UnsafeRawBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
  }

  /// Hands the buffer to the kernel as far as it takes it; the rest follows by itself.
  package func flush() {
    assert(loop.isCurrent)
    guard phase == .open || phase == .closingAfterFlush else { return }
    wantsFlush = false
    guard !isBlocked else { return }
    transmit()
    if phase == .closingAfterFlush, output.count == 0 { beginLinger() }
  }

  /// Flushes once at the end of the loop's cycle, together with what is written until then.
  package func flushSoon() {
    guard phase == .open || phase == .closingAfterFlush else { return }
    wantsFlush = true
    requestCycleEnd()
  }

  private func transmit() {
    while output.count > 0 {
      switch output.withFront(atMost: Self.writeSize, { stream.write($0) }) {
      case .bytes(let count): output.consume(count)
      case .wouldBlock:
        isBlocked = true
        return
      case .failed(let error): return close(error: error)
      }
    }
  }

  /// The kernel has room again.
  func becameWritable() {
    guard isBlocked else { return }
    isBlocked = false
    flush()
    guard phase == .open, !isBlocked else { return }
    handler?.channelDrained(self)
  }
}

internal import Postgres

/// Turns the server's notifications into hints for any number of readers, coalesced: a reader that is busy finds one hint, however many
/// came meanwhile.
///
/// Owned by the store; ends with `stop()`, and the streams with it.
actor WakeUpSource {
  private let connection: ConnectionConfiguration
  private var readers: [Int: AsyncStream<Void>.Continuation] = [:]
  private var lastReader = 0
  private var isStopped = false

  init(_ connection: ConnectionConfiguration) { self.connection = connection }

  func stream() -> AsyncStream<Void> {
    let (stream, continuation) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
    guard !isStopped else {
      continuation.finish()
      return stream
    }
    lastReader += 1
    let reader = lastReader
    continuation.onTermination = { [weak self] _ in
      guard let self else { return }
      Task { await self.remove(reader) }
    }
    readers[reader] = continuation
    // What came before the reader was there is its own to find.
    continuation.yield()
    return stream
  }

  func stop() {
    isStopped = true
    for continuation in readers.values { continuation.finish() }
    readers = [:]
  }

  private func remove(_ reader: Int) { readers[reader] = nil }
}

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
  private var listener: NotificationListener?
  private var relay: Task<Void, Never>?

  /// One channel for all work: the payload says nothing, a look at the database says everything.
  static let channel = "bolrach_work"

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
    listen()
    return stream
  }

  func stop() {
    isStopped = true
    for continuation in readers.values { continuation.finish() }
    readers = [:]
    listener?.stop()
    relay?.cancel()
  }

  /// Begins with the first reader. Without a listener (the process has no descriptor left) the readers' own poll remains.
  private func listen() {
    guard listener == nil,
      let made = try? NotificationListener([Self.channel], configuration: ListenerConfiguration(connection: connection))
    else { return }
    listener = made
    relay = Task { [weak self] in
      // Whatever the event: there may be work.
      for await _ in made.events { await self?.wakeReaders() }
    }
  }

  private func wakeReaders() {
    for continuation in readers.values { continuation.yield() }
  }

  private func remove(_ reader: Int) { readers[reader] = nil }
}

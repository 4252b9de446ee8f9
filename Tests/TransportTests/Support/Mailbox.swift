/// Events that happened on some thread, awaited one by one with a deadline. One test's; ends with it.
final class Mailbox<Event: Sendable>: Sendable {
  struct NothingCame: Error {}

  private let stream: AsyncStream<Event>
  private let continuation: AsyncStream<Event>.Continuation

  init() { (stream, continuation) = AsyncStream.makeStream() }

  func post(_ event: Event) { continuation.yield(event) }

  /// The oldest event not yet taken. The deadline only bounds a failing test.
  func next(within deadline: Duration = .seconds(20)) async throws -> Event {
    try await withThrowingTaskGroup(of: Event?.self) { group in
      group.addTask { [stream] in
        for await event in stream { return event }
        return nil
      }
      group.addTask {
        try await Task.sleep(for: deadline)
        return nil
      }
      defer { group.cancelAll() }
      guard let event = try await group.next() ?? nil else { throw NothingCame() }
      return event
    }
  }
}

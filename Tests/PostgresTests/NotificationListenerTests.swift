import Postgres
import TestSupport
import Testing

@Suite struct NotificationListenerTests {
  private func listener(
    _ conninfo: String, _ channels: [String] = ["work"], _ change: (inout ListenerConfiguration) -> Void = { _ in }
  ) throws -> NotificationListener {
    var configuration = ListenerConfiguration(connection: ConnectionConfiguration(conninfo: conninfo))
    configuration.initialBackoff = .milliseconds(10)
    change(&configuration)
    return try NotificationListener(channels, configuration: configuration)
  }

  private func notify(_ database: TestDatabase, _ channel: String = "work", _ payload: String) async throws {
    try await database.pool.execute("SELECT pg_notify(\(channel), \(payload))")
  }

  @Test(.timeLimit(.minutes(1))) func notificationsArriveWithChannelAndPayload() async throws {
    try await withTestDatabase(.empty) { database in
      let listener = try listener(database.conninfo, ["work", #"odd "name""#])
      var events = listener.events.makeAsyncIterator()
      #expect(await events.next() == .connected)
      try await notify(database, "other", "ignored")
      try await notify(database, "work", "ü 1")
      try await notify(database, #"odd "name""#, "")
      #expect(await events.next() == .notification(channel: "work", payload: "ü 1"))
      #expect(await events.next() == .notification(channel: #"odd "name""#, payload: ""))
    }
  }

  @Test(.timeLimit(.minutes(1))) func aKilledSessionIsReplacedAndSaidSo() async throws {
    try await withTestDatabase(.empty) { database in
      let listener = try listener(database.conninfo)
      var events = listener.events.makeAsyncIterator()
      #expect(await events.next() == .connected)
      let observer = Observer(database.conninfo)
      for pid in try await observer.listeners() { try await observer.terminate(pid) }
      #expect(await events.next() == .reconnected)
      try await notify(database, "work", "after")
      #expect(await events.next() == .notification(channel: "work", payload: "after"))
    }
  }

  @Test(.timeLimit(.minutes(1))) func aLinkThatSwallowsEverythingIsNoticed() async throws {
    try await withTestDatabase(.empty) { database in
      let proxy = try FreezableProxy(database.conninfo)
      defer { proxy.stop() }
      let listener = try listener(proxy.conninfo) {
        $0.heartbeatInterval = .milliseconds(50)
        $0.heartbeatTimeout = .milliseconds(100)
        $0.connection.cancelGrace = .milliseconds(50)
        $0.connection.connectTimeout = .seconds(2)
      }
      var events = listener.events.makeAsyncIterator()
      #expect(await events.next() == .connected)
      proxy.freeze()
      let observer = Observer(database.conninfo)
      let before = try await observer.listeners()
      try await Task.sleep(for: .milliseconds(400))
      proxy.thaw()
      #expect(await events.next() == .reconnected)
      #expect(Set(before).isDisjoint(with: try await observer.listeners()))
    }
  }

  @Test(.timeLimit(.minutes(1))) func heartbeatsAreNoEvents() async throws {
    try await withTestDatabase(.empty) { database in
      let listener = try listener(database.conninfo) { $0.heartbeatInterval = .milliseconds(5) }
      var events = listener.events.makeAsyncIterator()
      #expect(await events.next() == .connected)
      try await eventually("a heartbeat") { try await Observer(database.conninfo).hasHeartbeat() }
      try await notify(database, "work", "x")
      #expect(await events.next() == .notification(channel: "work", payload: "x"))
    }
  }

  @Test(.timeLimit(.minutes(1))) func droppedNotificationsAreReported() async throws {
    try await withTestDatabase(.empty) { database in
      let listener = try listener(database.conninfo) { $0.bufferedEvents = 4 }
      try await eventually("it listens") { try await !Observer(database.conninfo).listeners().isEmpty }
      try await database.pool.execute("SELECT pg_notify('work', n::text) FROM generate_series(1, 100) n")
      try await eventually("all were delivered") { listener.droppedEvents > 0 }
      var seen: [NotificationEvent] = []
      for await event in listener.events {
        seen.append(event)
        if event == .overflowed { break }
      }
      #expect(seen.count <= 4)
    }
  }

  @Test(.timeLimit(.minutes(1))) func stoppingEndsTheEventsAndTheSession() async throws {
    try await withTestDatabase(.empty) { database in
      let listener = try listener(database.conninfo)
      var events = listener.events.makeAsyncIterator()
      #expect(await events.next() == .connected)
      listener.stop()
      #expect(await events.next() == nil)
      try await eventually("the session is gone") { try await Observer(database.conninfo).listeners().isEmpty }
    }
  }

  @Test(.timeLimit(.minutes(1))) func withoutAServerItKeepsTryingUntilStopped() async throws {
    let listener = try listener("host=/nonexistent dbname=x")
    let events = Task { await listener.events.reduce(into: []) { $0.append($1) } }
    try await Task.sleep(for: .milliseconds(50))
    listener.stop()
    #expect(await events.value == [])
  }
}

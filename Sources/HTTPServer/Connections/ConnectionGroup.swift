import HTTP
import Transport

/// The connections of one server on one loop, and the requests they have under way.
///
/// Made by the server on any thread, used on its loop's thread only. It finds connections by `ChannelID`, so the answer
/// of a handler whose client has gone finds nothing. One timer looks for deadlines that have passed; with thousands of
/// connections that is cheaper than a timer for each, and a deadline is kept to a quarter of the shortest one.
final class ConnectionGroup: @unchecked Sendable {
  // Proof of `Sendable`: the variables are used on the loop's thread only, which the methods called from outside check.
  let loop: EventLoop
  let configuration: ServerConfiguration
  private let handler: @Sendable (HTTPRequest) async -> HTTPResponse
  private(set) var connections: [ChannelID: any ServedConnection] = [:]
  private(set) var requestsInFlight = 0
  private var draining: Drain?
  private var deadlineTimer: LoopTimer?
  var encoder: ResponseEncoder

  init(
    loop: EventLoop, configuration: ServerConfiguration,
    handler: @escaping @Sendable (HTTPRequest) async -> HTTPResponse
  ) {
    self.loop = loop
    self.configuration = configuration
    self.handler = handler
    encoder = ResponseEncoder(serverName: configuration.name)
  }

  var isDraining: Bool { draining != nil }

  /// Takes over a channel that has just been opened.
  func accept(_ channel: Channel, isSecure: Bool) {
    loop.preconditionIsCurrent()
    guard !isDraining else { return channel.close() }
    let connection = HTTP1Connection(channel, isSecure: isSecure, of: self)
    connections[channel.id] = connection
    if deadlineTimer == nil { scheduleDeadlines() }
    channel.start(connection)
  }

  func remove(_ id: ChannelID) {
    connections[id] = nil
    endDrainIfDone()
  }

  /// Runs the handler in a task of its own on this loop. Nil when too many run already.
  ///
  /// The task goes on when the client leaves: a request that was read whole is executed whole.
  func start(_ request: HTTPRequest, from id: ChannelID, exchange: Exchange) -> Task<Void, Never>? {
    guard requestsInFlight < configuration.maximumRequestsInFlight else { return nil }
    requestsInFlight += 1
    return Task(executorPreference: loop) { [self, handler] in
      let response = await handler(request)
      finish(response, from: id, exchange: exchange)
    }
  }

  /// Back on the loop, because the task prefers it.
  private func finish(_ response: HTTPResponse, from id: ChannelID, exchange: Exchange) {
    loop.preconditionIsCurrent()
    requestsInFlight -= 1
    connections[id]?.answer(response, to: exchange)
    endDrainIfDone()
  }

  private func scheduleDeadlines() {
    let timeouts = configuration.timeouts
    let shortest = min(timeouts.request, timeouts.idle, timeouts.write, timeouts.handler ?? timeouts.request)
    let interval = min(max(shortest / 4, .milliseconds(5)), .seconds(1))
    deadlineTimer = loop.schedule(after: interval) { [weak self] in self?.enforceDeadlines() }
  }

  private func enforceDeadlines() {
    deadlineTimer = nil
    guard !connections.isEmpty else { return }
    let now = MonotonicTime.current()
    for connection in connections.values { connection.enforceDeadlines(at: now) }
    scheduleDeadlines()
  }
}

// Draining.
extension ConnectionGroup {
  /// Ends every connection as soon as its requests are answered; calls `completion` once, on the loop.
  func drain(within time: Duration, completion: @escaping (DrainOutcome) -> Void) {
    loop.preconditionIsCurrent()
    if let draining {
      draining.add(completion)
      return endDrainIfDone()
    }
    let timer = loop.schedule(after: time) { [weak self] in self?.abandon() }
    draining = Drain(completion, timer: timer)
    for connection in Array(connections.values) { connection.drain() }
    endDrainIfDone()
  }

  private func endDrainIfDone() {
    guard let draining, connections.isEmpty, requestsInFlight == 0 else { return }
    draining.end(.clean)
  }

  private func abandon() {
    let outcome = DrainOutcome.abandoned(requests: requestsInFlight)
    for connection in Array(connections.values) { connection.closeNow() }
    draining?.end(outcome)
  }
}

import HTTP
import Transport

/// One HTTP/1 connection: reads a request, has it handled, writes the answer, reads the next one.
///
/// Owned by its channel and its group until the channel has closed; on the loop's thread only. Requests that came
/// together are answered one after the other: while one is under way nothing is read, so a client that sends without
/// end fills its own buffers and not ours.
final class HTTP1Connection: ServedConnection {
  enum Phase {
    /// Waiting for a request or reading one.
    case reading
    /// The handler has the request.
    case handling
    /// The client has to take some of the answer before anything else happens.
    case writing
    /// The last answer is on its way, or nothing at all.
    case closing
  }

  let channel: Channel
  let group: ConnectionGroup
  let isSecure: Bool
  var reader: RequestReader
  var phase = Phase.reading
  /// Input behind the request under way: at most one read of the loop, and only while reading is paused.
  var backlog: [UInt8] = []
  var backlogStart = 0
  /// The part of an answer's body that the channel has no room for yet.
  var unsent: ArraySlice<UInt8> = []
  /// Of the current phase; in `reading` of the request if one has begun, otherwise of the idleness.
  var deadline: MonotonicTime
  var hasRequestBegun = false
  var hasInputEnded = false
  var answersHEAD = false
  var closesAfterAnswer = false
  var exchange: Exchange = 0
  var task: Task<Void, Never>?

  init(_ channel: Channel, isSecure: Bool, of group: ConnectionGroup) {
    self.channel = channel
    self.group = group
    self.isSecure = isSecure
    reader = RequestReader(limits: group.configuration.limits)
    deadline = group.loop.now + group.configuration.timeouts.idle
  }

  var timeouts: ServerConfiguration.Timeouts { group.configuration.timeouts }

  func enforceDeadlines(at now: MonotonicTime) {
    guard now >= deadline else { return }
    switch phase {
    case .reading where hasRequestBegun:
      refuse(.requestTimeout)
    case .reading, .writing, .closing:
      channel.close()
    case .handling:
      task?.cancel()
      answer(group.configuration.errorBody(.handlerTimeout), to: exchange)
    }
  }

  func drain() {
    guard phase == .reading, !hasRequestBegun else { return }
    phase = .closing
    channel.bufferedBytes == 0 ? channel.close() : channel.closeAfterFlush()
  }

  func closeNow() {
    task?.cancel()
    channel.close()
  }

  func setDeadline(after time: Duration?) {
    deadline = time.map { group.loop.now + $0 } ?? MonotonicTime(nanoseconds: .max)
  }
}

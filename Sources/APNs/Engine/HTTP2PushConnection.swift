internal import HTTP2
internal import PushCore
internal import Transport

/// A connection to Apple: renders pushes into memory of its own and hands them to HTTP/2.
///
/// Owned by its pool from `connected` to `connectionEnded`, on the pool's loop.
final class HTTP2PushConnection: PushConnection {
  private let number: Int
  private let authority: String
  private unowned let owner: any PushConnectionOwner
  private let loop: EventLoop
  /// Set once, right after `init` could not yet.
  private var http: HTTP2ClientConnection!
  private var memory = SlotMemory()
  /// The pool's tag of each slot; -1 when it is free. The slot's number is the tag towards HTTP/2.
  private var tags: [Int32] = []
  private var free: [Int32] = []
  /// Pushes that HTTP/2 did not take though it had said it would: the connection is at its end.
  private var untaken: [Int32] = []

  init(taking channel: Channel, number: Int, authority: String, streams: Int, owner: any PushConnectionOwner) {
    self.number = number
    self.authority = authority
    self.owner = owner
    loop = channel.loop
    var configuration = HTTP2ClientConnection.Configuration()
    configuration.maximumStreams = streams
    configuration.maximumBody = ErrorBody.maximumBytes
    configuration.keptFields = ["retry-after"]
    http = HTTP2ClientConnection(taking: channel, configuration: configuration, delegate: self)
  }

  var capacity: Int { http.capacity }
  var lastHeard: MonotonicTime { http.lastHeard }

  func submit(_ push: PushRequest, tag: Int32) {
    let slot = takeSlot(for: tag)
    let rendered = RenderedPush(push, into: memory.slot(Int(slot)))
    let isTaken = http.submit(
      template(of: push.headers), rendered.path, rendered.id, body: rendered.body, tag: slot)
    guard !isTaken else { return }
    release(slot)
    untaken.append(tag)
    loop.atEndOfCycle(self)
  }

  func reset(tag: Int32) {
    guard let slot = tags.firstIndex(of: tag) else { return }
    http.reset(tag: Int32(slot))
    release(Int32(slot))
  }

  func probe(deadline: Duration) { http.ping(within: deadline) }
  func drain() { http.drain() }
  func close() { http.close() }

  /// Fields in the order and with the indexing that Apple's page on sending asks for: what differs for each push stays out of the
  /// compression tables.
  private func template(of headers: PushHeaders) -> HeaderTemplate {
    if let prepared = headers.prepared as? HeaderTemplate { return prepared }
    func fixed(_ text: String) -> HeaderTemplate.Field.Value { .fixed(Array(text.utf8)) }
    let template = HeaderTemplate(
      [
        .init(":method", fixed("POST")), .init(":scheme", fixed("https")), .init(":path", .variable, .notRemembered),
        .init(":authority", fixed(authority)), .init("authorization", .fixed(headers.authorization), .notRemembered),
        .init("apns-id", .variable, .notRemembered),
      ] + headers.fields.map { .init($0.name, fixed($0.value)) })
    headers.prepared = template
    return template
  }

  private func takeSlot(for tag: Int32) -> Int32 {
    if let slot = free.popLast() {
      tags[Int(slot)] = tag
      return slot
    }
    tags.append(tag)
    return Int32(tags.count - 1)
  }

  private func release(_ slot: Int32) {
    tags[Int(slot)] = -1
    free.append(slot)
  }
}

extension HTTP2PushConnection: HTTP2ClientDelegate, EndOfCycleHandler {
  func connection(_ connection: HTTP2ClientConnection, ended slot: Int32, _ end: StreamEnd, answer: StreamAnswer?) {
    let tag = tags[Int(slot)]
    release(slot)
    switch end {
    case .answered:
      guard let answer else { return owner.connection(number, resetByServer: tag) }
      let retryAfter = answer.field(0).flatMap { RetryAfter.seconds(String(decoding: $0, as: UTF8.self)) }
      owner.connection(
        number, answered: tag, with: PushAnswer(status: answer.status, retryAfter: retryAfter, body: answer.body))
    case .refused: owner.connection(number, refused: tag)
    case .reset, .withoutHeaders: owner.connection(number, resetByServer: tag)
    case .lost: owner.connection(number, lost: tag)
    }
  }

  func connectionHasCapacity(_ connection: HTTP2ClientConnection) { owner.connectionHasCapacity(number) }

  func connection(_ connection: HTTP2ClientConnection, received goAway: GoAway) {
    owner.connectionIsDraining(number)
  }

  func connection(_ connection: HTTP2ClientConnection, pingAnswered isAlive: Bool) {
    if !isAlive { connection.close() }
  }

  func connectionClosed(_ connection: HTTP2ClientConnection, error: TransportError?) {
    endOfCycle()
    owner.connectionEnded(number)
  }

  func endOfCycle() {
    let tags = untaken
    untaken = []
    for tag in tags { owner.connection(number, refused: tag) }
  }
}

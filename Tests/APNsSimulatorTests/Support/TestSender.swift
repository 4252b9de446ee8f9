import HTTP2
import ServiceKit
import Transport

/// What came back for one push.
struct TestAnswer: Sendable {
  let end: StreamEnd
  let status: Int
  let body: String
  let bodyLength: Int
  let fields: [String: String]
}

/// A sender on our HTTP/2 client, made for looking at what a server does.
///
/// Proof of `Sendable`: everything but `loop` is used on the loop's thread; the calls from outside go there first.
final class TestSender: @unchecked Sendable, HTTP2ClientDelegate {
  /// What a test may wait for.
  struct View: Sendable {
    var capacity = 0
    var inFlight = 0
    var goAways: [GoAway] = []
    var isClosed = false
    var answered = 0
    var refused = 0
    var pings: [Bool] = []
  }

  private static let kept = ["apns-id", "apns-unique-id", "retry-after", "content-type"]

  private let loop: EventLoop
  private var connection: HTTP2ClientConnection?
  private var view = View()
  private var pending: [Int32: Pending] = [:]
  private var count: Int32 = 0
  private var waiters: [Int: (isSatisfied: @Sendable (View) -> Bool, continuation: CheckedContinuation<Bool, Never>)] =
    [:]
  private var waiterCount = 0

  private struct Pending {
    /// Keeps the sender until the answer has come, also when the test has let go of it.
    let owner: TestSender
    let path: UnsafeMutableRawBufferPointer
    let body: UnsafeMutableRawBufferPointer
    let template: HeaderTemplate
    let continuation: CheckedContinuation<TestAnswer, Never>
  }

  private init(loop: EventLoop) { self.loop = loop }

  static func connect(
    to port: UInt16, trusting pem: [UInt8], host: String = "localhost", on loop: EventLoop, maximumBody: Int = 4096
  ) async throws -> TestSender {
    let tls = try TLSClientContext(trust: .only(pem: pem), protocols: ["h2"])
    let sender = TestSender(loop: loop)
    let failure: TransportError? = await withCheckedContinuation { continuation in
      loop.execute {
        Connector(loop: loop, tls: tls).connect(to: host, port: port, within: .seconds(5)) { result in
          switch result {
          case .failure(let error): continuation.resume(returning: error)
          case .success(let channel):
            var configuration = HTTP2ClientConnection.Configuration()
            configuration.keptFields = kept
            configuration.maximumBody = maximumBody
            sender.connection = HTTP2ClientConnection(taking: channel, configuration: configuration, delegate: sender)
            continuation.resume(returning: nil)
          }
        }
      }
    }
    if let failure { throw failure }
    return sender
  }

  /// Waits for nothing: a request beyond the capacity is answered `refused` by ourselves, with status -1.
  func send(_ push: TestPush) async -> TestAnswer {
    await withCheckedContinuation { continuation in
      loop.execute { [self] in submit(push, continuation) }
    }
  }

  private func submit(_ push: TestPush, _ continuation: CheckedContinuation<TestAnswer, Never>) {
    count += 1
    let path = Self.copy(push.path)
    let body = Self.copy(push.body)
    let template = HeaderTemplate(push.templateFields)
    pending[count] = Pending(owner: self, path: path, body: body, template: template, continuation: continuation)
    let isTaken = connection?.submit(
      template, UnsafeRawBufferPointer(path), body: UnsafeRawBufferPointer(body), tag: count)
    if isTaken != true {
      finish(count, TestAnswer(end: .refused, status: -1, body: "", bodyLength: 0, fields: [:]))
    }
    changed()
  }

  private static func copy(_ text: String) -> UnsafeMutableRawBufferPointer {
    let bytes = Array(text.utf8)
    let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: max(1, bytes.count), alignment: 1)
    memory.copyBytes(from: bytes)
    return UnsafeMutableRawBufferPointer(rebasing: memory[..<bytes.count])
  }

  private func finish(_ tag: Int32, _ answer: TestAnswer) {
    guard let request = pending.removeValue(forKey: tag) else { return }
    request.path.baseAddress?.deallocate()
    request.body.baseAddress?.deallocate()
    request.continuation.resume(returning: answer)
  }

  func ping(within deadline: Duration) {
    loop.execute { [self] in connection?.ping(within: deadline) }
  }

  func close() {
    loop.execute { [self] in connection?.close() }
  }

  /// False when ten seconds have passed.
  func wait(until isSatisfied: @escaping @Sendable (View) -> Bool) async -> Bool {
    await withCheckedContinuation { continuation in
      loop.execute { [self] in
        update()
        guard !isSatisfied(view) else { return continuation.resume(returning: true) }
        waiterCount += 1
        let id = waiterCount
        waiters[id] = (isSatisfied, continuation)
        _ = loop.schedule(after: .seconds(10)) { [self] in
          waiters.removeValue(forKey: id)?.continuation.resume(returning: false)
        }
      }
    }
  }

  var goAways: [GoAway] {
    get async {
      await withCheckedContinuation { continuation in
        loop.execute { [self] in continuation.resume(returning: view.goAways) }
      }
    }
  }

  private func update() {
    view.capacity = connection?.capacity ?? 0
    view.inFlight = connection?.inFlight ?? 0
  }

  private func changed() {
    update()
    for (id, waiter) in waiters where waiter.isSatisfied(view) {
      waiters[id] = nil
      waiter.continuation.resume(returning: true)
    }
  }

  func connection(_ connection: HTTP2ClientConnection, ended tag: Int32, _ end: StreamEnd, answer: StreamAnswer?) {
    if end == .answered { view.answered += 1 }
    if end == .refused { view.refused += 1 }
    var fields: [String: String] = [:]
    for (place, name) in Self.kept.enumerated() {
      fields[name] = answer?.field(place).map { String(decoding: $0, as: UTF8.self) }
    }
    finish(
      tag,
      TestAnswer(
        end: end, status: answer?.status ?? 0, body: answer.map { String(decoding: $0.body, as: UTF8.self) } ?? "",
        bodyLength: answer?.bodyLength ?? 0, fields: fields))
    changed()
  }

  func connectionHasCapacity(_ connection: HTTP2ClientConnection) { changed() }

  func connection(_ connection: HTTP2ClientConnection, received goAway: GoAway) {
    view.goAways.append(goAway)
    changed()
  }

  func connection(_ connection: HTTP2ClientConnection, pingAnswered isAlive: Bool) {
    view.pings.append(isAlive)
    changed()
  }

  func connectionClosed(_ connection: HTTP2ClientConnection, error: TransportError?) {
    view.isClosed = true
    changed()
  }
}

internal import PushCore
internal import Transport

/// One group on its way: which of its recipients wait, what came of the others.
///
/// Made by the provider's `send`, owned by its pool from then on, on the pool's loop only. It ends, and says so once, when every recipient
/// has been reported.
final class GroupRun {
  let group: SendGroup
  let startedAt: MonotonicTime
  private let report: ([SendResult]) -> Void
  private let finish: () -> Void
  /// `nil` where a message is not one of this provider's.
  private let pushes: [CompiledPush?]
  private var headers: [PushHeaders?]
  private var results: [SendResult] = []
  private var unreported: Int
  private var next = 0
  private var refusals = 0
  /// Set when Apple has refused the credential or the topic often enough to believe it.
  private(set) var hold: ProviderAnswer?

  /// Results travel in portions: a call and an array for each push would cost more than the push.
  static let portion = 256
  /// Refusals of the credential that make the rest of a group wait unsent.
  static let refusalLimit = 3

  init(
    _ group: SendGroup, startedAt: MonotonicTime, report: @escaping ([SendResult]) -> Void,
    finish: @escaping () -> Void
  ) {
    self.group = group
    self.startedAt = startedAt
    self.report = report
    self.finish = finish
    pushes = group.messages.map { $0 as? CompiledPush }
    headers = Array(repeating: nil, count: group.messages.count)
    unreported = group.recipients.count
  }

  var isFinished: Bool { unreported == 0 }
  var waiting: Int { group.recipients.count - next }
  var hasResults: Bool { !results.isEmpty }

  /// The next recipient to be sent to, once.
  func takeNext() -> Int32? {
    guard next < group.recipients.count else { return nil }
    next += 1
    return Int32(next - 1)
  }

  func recipient(_ index: Int32) -> Recipient { group.recipients[Int(index)] }

  func push(for recipient: Recipient) -> CompiledPush? {
    let index = Int(recipient.message)
    return pushes.indices.contains(index) ? pushes[index] : nil
  }

  /// The headers of a message with this token, made once.
  func headers(for recipient: Recipient, _ push: CompiledPush, token: ProviderTokenState.Held) -> PushHeaders? {
    let index = Int(recipient.message)
    if let made = headers[index], made.generation == token.generation { return made }
    guard let topic = push.kind.topic(forBundleID: group.credential.bundleID) else { return nil }
    let made = PushHeaders(push, topic: topic, token: token)
    headers[index] = made
    return made
  }

  /// Counts a refusal of the credential. Returns whether this one decided.
  func refused(with answer: ProviderAnswer) -> Bool {
    refusals += 1
    guard refusals >= Self.refusalLimit, hold == nil else { return false }
    hold = answer
    return true
  }

  func settle(_ recipient: Int32, _ answer: ProviderAnswer, at time: Timestamp) {
    if results.isEmpty { results.reserveCapacity(min(Self.portion, unreported)) }
    results.append(SendResult(recipient: recipient, answer: answer, answeredAt: time))
    unreported -= 1
    if results.count >= Self.portion || unreported == 0 { flush() }
  }

  /// Everybody who has not been sent to.
  func settleWaiting(_ answer: ProviderAnswer, at time: Timestamp) {
    while let recipient = takeNext() { settle(recipient, answer, at: time) }
  }

  /// Hands over what there is, and says that the group has ended when it has.
  func flush() {
    if !results.isEmpty {
      let portion = results
      results = []
      report(portion)
    }
    if unreported == 0 { finish() }
  }
}

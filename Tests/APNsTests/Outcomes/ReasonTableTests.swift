import PushCore
import Testing

@testable import APNs

@Suite struct ReasonTableTests {
  private static let dead = Timestamp(milliseconds: 1_700_000_000_123)

  private func verdict(_ status: Int, _ reason: String?, retryAfter: Seconds? = nil) -> Verdict {
    ReasonTable.verdict(
      status: status, error: ErrorBody(reason: reason, timestamp: status == 410 ? 1_700_000_000_123 : nil),
      retryAfter: retryAfter, answeredAt: Fixture.now)
  }

  struct Row: Sendable, CustomStringConvertible {
    let status: Int
    let reason: String
    let verdict: Verdict
    var description: String { "\(status) \(reason)" }

    init(
      _ status: Int, _ reason: String, _ make: (Reason) -> ProviderAnswer,
      _ connection: Verdict.ConnectionEffect = .none, _ token: Verdict.TokenEffect = .none
    ) {
      self.status = status
      self.reason = reason
      verdict = Verdict(answer: make(Reason(rawValue: reason)), connection: connection, token: token)
    }
  }

  private static func failed(_ reason: Reason) -> ProviderAnswer { .rejected(reason, .keep) }
  private static func held(_ reason: Reason) -> ProviderAnswer { .held(reason, .credential) }
  private static func misconfigured(_ reason: Reason) -> ProviderAnswer { .held(reason, .configuration) }
  private static func retry(_ reason: Reason) -> ProviderAnswer { .retry(reason, after: nil) }
  private static func gone(_ reason: Reason) -> ProviderAnswer { .rejected(reason, .deadSince(dead)) }

  /// Apple's table of reasons for `/3/device`, each with the row of `docs/delivery.md` that it falls under.
  static let table: [Row] = [
    Row(400, "BadCollapseId", failed), Row(400, "BadDeviceToken", { .rejected($0, .dead) }),
    Row(400, "BadExpirationDate", failed), Row(400, "BadMessageId", failed), Row(400, "BadPriority", failed),
    Row(400, "BadTopic", misconfigured), Row(400, "DeviceTokenNotForTopic", { .rejected($0, .notForTopic) }),
    Row(400, "DuplicateHeaders", failed), Row(400, "IdleTimeout", retry, .replace),
    Row(400, "InvalidPushType", failed), Row(400, "MissingDeviceToken", failed),
    Row(400, "MissingTopic", misconfigured), Row(400, "PayloadEmpty", failed),
    Row(400, "TopicDisallowed", misconfigured),
    Row(403, "BadCertificate", held, .closeAll), Row(403, "BadCertificateEnvironment", held, .closeAll),
    Row(403, "ExpiredProviderToken", held, .replace, .renew), Row(403, "Forbidden", held, .closeAll),
    Row(403, "InvalidProviderToken", held, .closeAll), Row(403, "MissingProviderToken", held, .closeAll),
    Row(403, "UnrelatedKeyIdInToken", held, .closeAll), Row(403, "BadEnvironmentKeyIdInToken", held, .closeAll),
    Row(403, "BadEnvironmentKeyInToken", held, .closeAll),
    Row(404, "BadPath", failed), Row(405, "MethodNotAllowed", failed),
    Row(410, "ExpiredToken", gone), Row(410, "Unregistered", gone), Row(413, "PayloadTooLarge", failed),
    Row(429, "TooManyProviderTokenUpdates", retry, .replace, .stopRenewing), Row(429, "TooManyRequests", retry),
    Row(500, "InternalServerError", retry, .fault), Row(503, "ServiceUnavailable", retry, .fault),
    Row(503, "Service Unavailable", retry, .fault), Row(503, "Shutdown", retry, .replace),
  ]

  @Test(arguments: table) func everyReasonDoesWhatTheTableSays(row: Row) {
    #expect(verdict(row.status, row.reason) == row.verdict)
  }

  @Test func noKnownReasonIsLeftOut() {
    #expect(Set(Self.table.map(\.reason)) == Set(ReasonTable.knownReasons))
  }

  @Test func successIsAccepted() {
    #expect(verdict(200, nil) == Verdict(answer: .accepted))
  }

  @Test(arguments: [
    (400, ProviderAnswer.rejected(Reason(rawValue: "SomethingNew"), .keep)),
    (402, .rejected(Reason(rawValue: "SomethingNew"), .keep)),
    (403, .held(Reason(rawValue: "SomethingNew"), .credential)),
    (410, .rejected(Reason(rawValue: "SomethingNew"), .keep)),
    (429, .retry(Reason(rawValue: "SomethingNew"), after: nil)),
    (500, .retry(Reason(rawValue: "SomethingNew"), after: nil)),
    (520, .retry(Reason(rawValue: "SomethingNew"), after: nil)),
    (302, .retry(Reason(rawValue: "SomethingNew"), after: nil)),
    (204, .retry(Reason(rawValue: "SomethingNew"), after: nil)),
  ])
  func anUnknownReasonIsJudgedByItsStatus(status: Int, answer: ProviderAnswer) {
    #expect(verdict(status, "SomethingNew").answer == answer)
  }

  @Test(arguments: ["BadDeviceToken", "Unregistered", "DeviceTokenNotForTopic"])
  func aReasonUnderAForeignStatusKillsNoToken(reason: String) {
    for status in [401, 403, 404, 413, 429, 500, 520] {
      guard case .rejected(_, let token) = verdict(status, reason).answer else { continue }
      #expect(token == .keep)
    }
  }

  @Test func withoutAReasonTheStatusIsIt() {
    #expect(verdict(520, nil).answer == .retry(Reason(rawValue: "http_520"), after: nil))
  }

  @Test func theProvidersWishIsPassedOn() {
    #expect(
      verdict(503, "ServiceUnavailable", retryAfter: Seconds(30)).answer
        == .retry(Reason(rawValue: "ServiceUnavailable"), after: Seconds(30)))
    #expect(
      verdict(429, "TooManyRequests", retryAfter: Seconds(30)).answer
        == .retry(Reason(rawValue: "TooManyRequests"), after: Seconds(30)))
  }

  @Test(
    arguments: [
      ("30", Seconds(30)), ("0", Seconds(0)), ("86400", Seconds(900)), ("99999999999999999999", Seconds(900)),
      ("-1", nil), ("", nil), ("1.5", nil), ("Wed, 21 Oct 2026 07:28:00 GMT", nil),
    ] as [(String, Seconds?)])
  func retryAfterIsInSecondsAndCapped(value: String, expected: Seconds?) {
    #expect(RetryAfter.seconds(value) == expected)
  }
}

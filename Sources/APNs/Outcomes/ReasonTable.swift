internal import PushCore

/// What each of Apple's answers does: the table of `docs/delivery.md`. An answer that is not in it is judged by its status class, and
/// nothing unknown ever speaks against a device token.
enum ReasonTable {
  /// What Apple's reasons do, by status. A known reason under another status than its own is an unknown answer.
  static func verdict(
    status: Int, error: ErrorBody, retryAfter: Seconds?, answeredAt: Timestamp
  ) -> Verdict {
    let reason = error.reason.map(Self.reason) ?? Reason(rawValue: "http_\(status)")
    switch status {
    case 200: return Verdict(answer: .accepted)
    case 400: return badRequest(reason)
    case 403: return forbidden(reason)
    case 410: return gone(reason, error.deadSince(answeredAt: answeredAt))
    case 429: return tooMany(reason, retryAfter)
    case 400..<500: return Verdict(answer: .rejected(reason, .keep))
    default: return serverFault(reason, retryAfter)
    }
  }

  private static func badRequest(_ reason: Reason) -> Verdict {
    switch reason.rawValue {
    case "BadDeviceToken": Verdict(answer: .rejected(reason, .dead))
    case "DeviceTokenNotForTopic": Verdict(answer: .rejected(reason, .notForTopic))
    case "BadTopic", "MissingTopic", "TopicDisallowed": Verdict(answer: .held(reason, .configuration))
    // The connection's fault and not the push's.
    case "IdleTimeout": Verdict(answer: .retry(reason, after: nil), connection: .replace)
    default: Verdict(answer: .rejected(reason, .keep))
    }
  }

  /// Every 403 is about who is asking. One that is not known is as well: pausing loses nothing, failing would.
  private static func forbidden(_ reason: Reason) -> Verdict {
    switch reason.rawValue {
    case "ExpiredProviderToken":
      // A connection that has said this once was seen to go on saying it to fresh tokens.
      Verdict(answer: .held(reason, .credential), connection: .replace, token: .renew)
    default: Verdict(answer: .held(reason, .credential), connection: .closeAll)
    }
  }

  private static func gone(_ reason: Reason, _ deadSince: Timestamp?) -> Verdict {
    switch reason.rawValue {
    case "Unregistered", "ExpiredToken": Verdict(answer: .rejected(reason, .deadSince(deadSince)))
    default: Verdict(answer: .rejected(reason, .keep))
    }
  }

  private static func tooMany(_ reason: Reason, _ retryAfter: Seconds?) -> Verdict {
    switch reason.rawValue {
    case "TooManyProviderTokenUpdates":
      Verdict(answer: .retry(reason, after: retryAfter), connection: .replace, token: .stopRenewing)
    default: Verdict(answer: .retry(reason, after: retryAfter))
    }
  }

  private static func serverFault(_ reason: Reason, _ retryAfter: Seconds?) -> Verdict {
    Verdict(
      answer: .retry(reason, after: retryAfter), connection: reason.rawValue == "Shutdown" ? .replace : .fault)
  }

  /// The constant for a known reason, so that a storm of one answer does not make a text for each push.
  private static func reason(_ text: String) -> Reason { known[text] ?? Reason(rawValue: text) }

  /// Apple's reasons for `/3/device`, with both spellings of those that documentation and wire spell differently.
  static let knownReasons = [
    "BadCollapseId", "BadDeviceToken", "BadExpirationDate", "BadMessageId", "BadPriority", "BadTopic",
    "DeviceTokenNotForTopic", "DuplicateHeaders", "IdleTimeout", "InvalidPushType", "MissingDeviceToken",
    "MissingTopic", "PayloadEmpty", "TopicDisallowed",
    "BadCertificate", "BadCertificateEnvironment", "ExpiredProviderToken", "Forbidden", "InvalidProviderToken",
    "MissingProviderToken", "UnrelatedKeyIdInToken", "BadEnvironmentKeyIdInToken", "BadEnvironmentKeyInToken",
    "BadPath", "MethodNotAllowed", "ExpiredToken", "Unregistered", "PayloadTooLarge",
    "TooManyProviderTokenUpdates", "TooManyRequests",
    "InternalServerError", "ServiceUnavailable", "Service Unavailable", "Shutdown",
  ]

  private static let known = Dictionary(uniqueKeysWithValues: knownReasons.map { ($0, Reason(rawValue: $0)) })
}

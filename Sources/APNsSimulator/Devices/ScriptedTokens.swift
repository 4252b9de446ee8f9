/// Device tokens that choose their own answer: a token whose first eight hexadecimal digits are a four-digit code said twice
/// (`deaddead...` is 410 Unregistered). Said twice so that one in four thousand million random tokens is hit and not one in
/// two thousand. Judged after every other check has passed.
package enum ScriptedTokens {
  package enum Script: Sendable, Hashable {
    case refuse(RefusalReason, age: TokenAge)
    case perform(FaultAction)
  }

  /// What the timestamp of a 410 says.
  package enum TokenAge: Sendable, Hashable {
    case none, now
    /// Seconds before now; negative is the future.
    case seconds(Int64)
  }

  package struct Row: Sendable {
    package let code: String
    package let script: Script
  }

  package static let table: [Row] = [
    refusal("bad0", .badDeviceToken), refusal("4001", .deviceTokenNotForTopic), refusal("4002", .badTopic),
    refusal("4003", .missingTopic), refusal("4004", .topicDisallowed), refusal("4005", .badCollapseID),
    refusal("4006", .badExpirationDate), refusal("4007", .badMessageID), refusal("4008", .badPriority),
    refusal("4009", .duplicateHeaders), refusal("400a", .idleTimeout), refusal("400b", .invalidPushType),
    refusal("400c", .missingDeviceToken), refusal("400d", .payloadEmpty),
    refusal("4030", .forbidden), refusal("4031", .invalidProviderToken), refusal("4032", .expiredProviderToken),
    refusal("4033", .missingProviderToken), refusal("4034", .unrelatedKeyIDInToken),
    refusal("4035", .badEnvironmentKeyIDInToken), refusal("4036", .badEnvironmentKeyInToken),
    refusal("4037", .badCertificate), refusal("4038", .badCertificateEnvironment),
    refusal("4040", .badPath), refusal("4050", .methodNotAllowed),
    refusal("dead", .unregistered, .now), refusal("de01", .expiredToken, .now),
    refusal("de02", .unregistered, .seconds(86_400)), refusal("de03", .unregistered, .seconds(-86_400)),
    refusal("de04", .unregistered),
    refusal("4130", .payloadTooLarge), refusal("4290", .tooManyRequests),
    refusal("4291", .tooManyProviderTokenUpdates), refusal("5000", .internalServerError),
    refusal("5030", .serviceUnavailable), refusal("5031", .shutdown),
    Row(code: "5200", script: .perform(.answer(.html(status: 520)))),
    Row(code: "4099", script: .perform(.answer(.unknownReason))),
    Row(code: "1057", script: .perform(.loseAnswer)),
    Row(code: "f0f0", script: .perform(.ignore)),
    Row(code: "0e02", script: .perform(.reset(code: 2))),
    Row(code: "0e07", script: .perform(.reset(code: 7))),
  ]

  private static let byPrefix = Dictionary(
    uniqueKeysWithValues: table.map { (prefix(of: $0.code), $0.script) })

  package static func script(for token: [UInt8]) -> Script? {
    guard token.count >= 8 else { return nil }
    return byPrefix[Array(token.prefix(8))]
  }

  /// A 64-digit token that is refused with this reason.
  package static func token(refusedWith reason: RefusalReason, serial: Int = 0) -> String? {
    let row = table.first { row in
      guard case .refuse(reason, _) = row.script else { return false }
      return true
    }
    return row.map { token(code: $0.code, serial: serial) }
  }

  package static func token(code: String, serial: Int = 0) -> String {
    let number = String(serial, radix: 16)
    return code + code + String(repeating: "0", count: 56 - number.count) + number
  }

  private static func prefix(of code: String) -> [UInt8] { Array((code + code).utf8) }

  private static func refusal(_ code: String, _ reason: RefusalReason, _ age: TokenAge = .none) -> Row {
    Row(code: code, script: .refuse(reason, age: age))
  }
}

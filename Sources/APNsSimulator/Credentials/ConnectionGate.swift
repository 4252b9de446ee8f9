/// Decides for one connection whether a request's provider token lets it in: the token itself, the connection's team and key,
/// age and update rate, in that order.
///
/// A value owned by its connection, on its loop. A token is verified once; later requests with the same bytes cost a comparison.
package struct ConnectionGate {
  private var bound: (teamID: String, keyID: String)?
  private var history = TokenHistory()
  private var current: Known?
  private var known: [[UInt8]: Known] = [:]
  private var generation: UInt64 = 0
  private var isWedged = false

  package init() {}

  /// True once a valid token has been seen: from then on the connection has its full number of streams.
  package var isOpen: Bool { bound != nil }

  private struct Known {
    let bytes: [UInt8]
    let token: VerifiedToken
  }

  /// The credential behind a request that may go on.
  package mutating func admit(
    _ headers: RequestHeaders, at now: Int64, on environment: SimulatedEnvironment, by authority: TokenAuthority
  ) throws(Refusal) -> VerifiedToken {
    guard let bytes = headers.authorization else { throw Refusal(.missingProviderToken) }
    guard !headers.hasDuplicate else { throw Refusal(.duplicateHeaders) }
    guard !isWedged else { throw Refusal(.expiredProviderToken) }
    let token = try verified(bytes, on: environment, by: authority)
    if let bound { try check(token, against: bound) }
    try checkAge(token, at: now, policy: authority.policy)
    try checkRate(bytes, token, at: now, authority: authority)
    bound = bound ?? (token.teamID, token.keyID)
    return token
  }

  private mutating func verified(
    _ bytes: [UInt8], on environment: SimulatedEnvironment, by authority: TokenAuthority
  ) throws(Refusal) -> VerifiedToken {
    if generation != authority.generation {
      generation = authority.generation
      known.removeAll()
      current = nil
    }
    if let current, current.bytes == bytes { return current.token }
    if let found = known[bytes] {
      current = found
      return found.token
    }
    let token = try authority.verify(bytes, on: environment)
    let entry = Known(bytes: bytes, token: token)
    if known.count >= 64 { known.removeAll(keepingCapacity: true) }
    known[bytes] = entry
    current = entry
    return token
  }

  private func check(_ token: VerifiedToken, against bound: (teamID: String, keyID: String)) throws(Refusal) {
    guard token.teamID == bound.teamID else { throw Refusal(.invalidProviderToken) }
    guard token.keyID == bound.keyID || token.relatedKeyIDs.contains(bound.keyID) else {
      throw Refusal(.unrelatedKeyIDInToken)
    }
  }

  private mutating func checkAge(_ token: VerifiedToken, at now: Int64, policy: TokenPolicy) throws(Refusal) {
    let age = now / 1000 - token.issuedAt
    // Apple wants `iat` within an hour of now; what it answers to a token from the future is not known.
    guard age >= -policy.lifetimeSeconds else { throw Refusal(.invalidProviderToken) }
    guard age <= policy.lifetimeSeconds else {
      isWedged = policy.afterExpired == .staysExpired
      throw Refusal(.expiredProviderToken)
    }
  }

  private mutating func checkRate(
    _ bytes: [UInt8], _ token: VerifiedToken, at now: Int64, authority: TokenAuthority
  ) throws(Refusal) {
    let interval = authority.policy.updateIntervalSeconds * 1000
    let admitted =
      switch authority.policy.updateScope {
      case .connection: history.admit(bytes, now: now, interval: interval)
      case .key: authority.admitForKey(bytes, token, now: now, interval: interval)
      }
    guard admitted else { throw Refusal(.tooManyProviderTokenUpdates) }
  }
}

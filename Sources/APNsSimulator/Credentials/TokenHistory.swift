/// Which provider tokens have been used, and how soon another may come: Apple's "not more often than every 20 minutes".
///
/// A value; owned by a connection, or shared by all connections of a key (``TokenUpdateScope``).
package struct TokenHistory: Sendable {
  private var tokens: Set<[UInt8]> = []
  private var newestAt: Int64?

  package init() {}

  /// A token used before stays good; a new one is refused while the last new one is younger than the interval.
  /// Times in milliseconds.
  package mutating func admit(_ token: [UInt8], now: Int64, interval: Int64) -> Bool {
    if tokens.contains(token) { return true }
    if let newestAt, now - newestAt < interval { return false }
    // An hour after its issue a token is refused anyway, so only a few can be alive.
    if tokens.count >= 16 { tokens.removeAll(keepingCapacity: true) }
    tokens.insert(token)
    newestAt = now
    return true
  }
}

/// What the rate of provider token updates is counted by. Apple documents the connection; reports say that it reaches further.
package enum TokenUpdateScope: String, Sendable, Hashable {
  case connection, key
}

internal import PushCore
internal import Transport

/// What a pool has done for it. The engine's loop is one; a test with a clock of its own is another.
///
/// On the loop only.
protocol PoolHost: AnyObject {
  var now: MonotonicTime { get }
  /// The wall clock, for results and expiry.
  var wallClock: Timestamp { get }
  /// In 0..<1.
  func random() -> Double
  /// Ends in the pool's `connected` or `connectFailed` with this number.
  func connect(_ number: Int, for pool: Pool)
  /// Ends in the pool's `tokenFetched` or `tokenFetchFailed`.
  func fetchToken(for pool: Pool, maximumAge: Seconds, mayMint: Bool)
  /// Has the pool's `turn` called at the end of what is being handled now; once, however often it is asked.
  func wantsTurn(_ pool: Pool)
  /// Has it called at this time; a later call takes the place of an earlier one, `nil` of all.
  func wake(_ pool: Pool, at time: MonotonicTime?)
}

/// Connections and provider tokens are shared by what has all of this in common, and by nothing else: Apple binds a connection to the
/// team and key of its first push.
struct PoolKey: Sendable, Hashable {
  let environment: PushEnvironment
  let teamID: String
  let keyID: String
  let fingerprint: String

  init(_ credential: APNsCredential, environment: PushEnvironment) {
    self.environment = environment
    teamID = credential.teamID
    keyID = credential.keyID
    fingerprint = credential.fingerprint
  }

  var tokenName: ProviderTokenName {
    ProviderTokenName(environment: environment, teamID: teamID, keyID: keyID, fingerprint: fingerprint)
  }
}

extension Reason {
  /// Waited for a provider token that the store could not give.
  static let noProviderToken = Reason(rawValue: "no_provider_token")
  /// Connected, and the server takes no pushes.
  static let noCapacity = Reason(rawValue: "no_capacity")
  /// The server gave up a push that it may have processed.
  static let streamReset = Reason(rawValue: "stream_reset")
  /// Came back unprocessed too often.
  static let streamRefused = Reason(rawValue: "stream_refused")
  static let stopping = Reason(rawValue: "stopping")
}

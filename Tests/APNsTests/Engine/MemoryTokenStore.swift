import PushCore
import ServiceKit

/// The store's promise, kept in memory: one current token for a key, made under a lock when it is too old.
final class MemoryTokenStore: ProviderTokenStore {
  private struct State {
    var tokens: [ProviderTokenName: (text: [UInt8], issuedAt: Timestamp)] = [:]
    var minted = 0
    /// What is added to the clock: a test moves it.
    var offset: Int64 = 0
  }

  private let state = Lock(State())

  var minted: Int { state.withLock { $0.minted } }

  func moveClock(seconds: Int64) { state.withLock { $0.offset += seconds } }

  func token(
    for name: ProviderTokenName, maximumAge: Seconds, mint: @escaping @Sendable (Timestamp) throws -> [UInt8]
  ) async throws -> ProviderToken {
    try state.withLock { state in
      let now = Timestamp.now()
      let clock = now.advanced(bySeconds: state.offset)
      if let kept = state.tokens[name] {
        let age = clock.secondsSinceEpoch - kept.issuedAt.secondsSinceEpoch
        if age < maximumAge.count { return ProviderToken(text: kept.text, issuedAt: kept.issuedAt, age: Seconds(age)) }
      }
      let text = try mint(clock)
      state.minted += 1
      state.tokens[name] = (text, clock)
      return ProviderToken(text: text, issuedAt: clock, age: Seconds(0))
    }
  }
}

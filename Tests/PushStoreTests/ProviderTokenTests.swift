import Postgres
import PushCore
import ServiceKit
import TestSupport
import Testing

@testable import PushStore

@Suite struct ProviderTokenTests {
  private let hour = Seconds(3600)

  private func name(_ fingerprint: String = "f1", _ environment: PushEnvironment = .production) -> ProviderTokenName {
    ProviderTokenName(environment: environment, teamID: "TEAM", keyID: "KEY", fingerprint: fingerprint)
  }

  /// Counts the mintings; each token differs.
  private final class Mint: Sendable {
    private let count = Lock(0)
    var minted: Int { count.withLock { $0 } }
    func mint(_ time: Timestamp) -> [UInt8] {
      count.withLock { count in
        count += 1
        return Array("token-\(count)-\(time.microseconds)".utf8)
      }
    }
  }

  @Test func eightCallersInThreeProcessesMintOneToken() async throws {
    try await withStore { f in
      let mint = Mint()
      let stores = [f.store, f.anotherStore(), f.anotherStore()]
      let tokens = try await withThrowingTaskGroup(of: [UInt8].self) { group in
        for number in 0..<8 {
          group.addTask {
            try await stores[number % 3].token(for: name(), maximumAge: hour) { mint.mint($0) }.text
          }
        }
        return try await group.reduce(into: []) { $0.append($1) }
      }
      #expect(mint.minted == 1 && Set(tokens).count == 1)
      #expect(
        try await f.count("SELECT count(*) FROM provider_tokens WHERE sealed_token = \(tokens[0])") == 0, "it is sealed"
      )
    }
  }

  @Test func anOldTokenIsReplacedByOneForAll() async throws {
    try await withStore { f in
      let mint = Mint()
      let first = try await f.store.token(for: name(), maximumAge: hour) { mint.mint($0) }
      #expect(first.age == Seconds(0))
      try await f.database.pool.execute("UPDATE provider_tokens SET issued_at = now() - interval '50 minutes'")
      let kept = try await f.store.token(for: name(), maximumAge: hour) { mint.mint($0) }
      #expect(kept.text == first.text && kept.age >= Seconds(3000))
      let renewed = try await f.store.token(for: name(), maximumAge: Seconds(2400)) { mint.mint($0) }
      #expect(renewed.text != first.text && mint.minted == 2)
    }
  }

  @Test func noneIsMintedWithinTwentyMinutesUnlessTheKeyIsAnother() async throws {
    try await withStore { f in
      let mint = Mint()
      let first = try await f.store.token(for: name(), maximumAge: hour) { mint.mint($0) }
      try await f.database.pool.execute("UPDATE provider_tokens SET issued_at = now() - interval '19 minutes'")
      let forced = try await f.store.token(for: name(), maximumAge: Seconds(0)) { mint.mint($0) }
      #expect(forced.text == first.text && mint.minted == 1)
      let otherKey = try await f.store.token(for: name("f2"), maximumAge: hour) { mint.mint($0) }
      #expect(otherKey.text != first.text && mint.minted == 2)
      _ = try await f.store.token(for: name("f2", .development), maximumAge: hour) { mint.mint($0) }
      #expect(mint.minted == 3, "each environment has its own")
    }
  }

  @Test func aFailedMintingLeavesNothingBehind() async throws {
    struct Broken: Error {}
    try await withStore { f in
      await #expect(throws: Broken.self) {
        try await f.store.token(for: name(), maximumAge: hour) { _ in throw Broken() }
      }
      let token = try await f.store.token(for: name(), maximumAge: hour) { _ in [1] }
      #expect(token.text == [1])
    }
  }
}

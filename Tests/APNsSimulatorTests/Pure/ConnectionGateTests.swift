import Testing

@testable import APNsSimulator

@Suite("A connection's gate")
struct ConnectionGateTests {
  private let start: Int64 = 1_790_000_000_000
  private let minute: Int64 = 60_000

  /// A gate, and what it says to a token at a time.
  private struct Bench {
    var gate = ConnectionGate()
    let authority: TokenAuthority

    init(policy: TokenPolicy = TokenPolicy(), _ credentials: SimulatedCredential...) {
      authority = TokenAuthority(policy: policy)
      for credential in credentials { authority.register(credential) }
    }

    mutating func reason(_ value: String?, at now: Int64) -> RefusalReason? {
      var headers = RequestHeaders()
      if let value { headers.add(name: Array("authorization".utf8), value: Array(value.utf8)) }
      do throws(Refusal) {
        _ = try gate.admit(headers, at: now, on: .sandbox, by: authority)
        return nil
      } catch { return error.reason }
    }
  }

  @Test("without a token the connection stays shut, with one it opens")
  func opens() throws {
    let key = try TestKey()
    var bench = Bench(key.credential())
    let missing = bench.reason(nil, at: start)
    #expect(missing == .missingProviderToken)
    #expect(!bench.gate.isOpen)
    let good = bench.reason(try key.authorization(issuedAt: start / 1000), at: start)
    #expect(good == nil)
    #expect(bench.gate.isOpen)
  }

  @Test("a second team and an unrelated key are refused on a used connection, a related key is not")
  func binding() throws {
    let key = try TestKey()
    let otherTeam = try TestKey(teamID: "TEAM000002", keyID: "KEY0000002")
    let unrelated = try TestKey(keyID: "KEY0000003")
    let related = try TestKey(keyID: "KEY0000004")
    var policy = TokenPolicy()
    policy.updateIntervalSeconds = 0
    var bench = Bench(
      policy: policy, key.credential(), otherTeam.credential(), unrelated.credential(),
      related.credential(related: [key.keyID]))
    let steps: [(TestKey, RefusalReason?)] = [
      (key, nil), (otherTeam, .invalidProviderToken), (unrelated, .unrelatedKeyIDInToken), (related, nil), (key, nil),
    ]
    for (other, expected) in steps {
      let reason = bench.reason(try other.authorization(issuedAt: start / 1000), at: start)
      #expect(reason == expected, "\(other.keyID)")
    }
  }

  @Test("a token is good for an hour, to the second, and may be an hour ahead")
  func age() throws {
    let key = try TestKey()
    let value = try key.authorization(issuedAt: start / 1000)
    for (offset, expected) in [
      (Int64(0), nil), (60 * minute, nil), (60 * minute + 1000, RefusalReason.expiredProviderToken),
      (-60 * minute, nil), (-60 * minute - 1000, .invalidProviderToken),
    ] {
      var bench = Bench(key.credential())
      let reason = bench.reason(value, at: start + offset)
      #expect(reason == expected, "\(offset)")
    }
  }

  @Test("after an expired token a wedged connection answers nothing else, another recovers")
  func wedged() throws {
    let key = try TestKey()
    let stale = try key.authorization(issuedAt: start / 1000 - 4000)
    let fresh = try key.authorization(issuedAt: start / 1000)
    for (mode, expected) in [
      (TokenPolicy.AfterExpired.recovers, nil), (.staysExpired, RefusalReason.expiredProviderToken),
    ] {
      var policy = TokenPolicy()
      policy.afterExpired = mode
      var bench = Bench(policy: policy, key.credential())
      let first = bench.reason(stale, at: start)
      let second = bench.reason(fresh, at: start)
      #expect(first == .expiredProviderToken)
      #expect(second == expected)
    }
  }

  @Test("the second new token within twenty minutes is refused on the same connection only")
  func updatesPerConnection() throws {
    let key = try TestKey()
    var bench = Bench(key.credential())
    let first = try key.authorization(issuedAt: start / 1000)
    let second = try key.authorization(issuedAt: start / 1000 + 1)
    let steps: [(String, Int64, RefusalReason?)] = [
      (first, 0, nil), (second, 19 * minute, .tooManyProviderTokenUpdates), (first, 19 * minute, nil),
      (second, 20 * minute, nil),
    ]
    for (value, offset, expected) in steps {
      let reason = bench.reason(value, at: start + offset)
      #expect(reason == expected, "\(offset)")
    }
    bench.gate = ConnectionGate()
    let elsewhere = bench.reason(second, at: start + minute)
    #expect(elsewhere == nil)
  }

  @Test("counted by key, a second new token is refused on every connection")
  func updatesPerKey() throws {
    let key = try TestKey()
    var policy = TokenPolicy()
    policy.updateScope = .key
    var bench = Bench(policy: policy, key.credential())
    let first = bench.reason(try key.authorization(issuedAt: start / 1000), at: start)
    bench.gate = ConnectionGate()
    let second = bench.reason(try key.authorization(issuedAt: start / 1000 + 1), at: start + minute)
    #expect(first == nil)
    #expect(second == .tooManyProviderTokenUpdates)
  }

  @Test("a revoked key is refused at once, also where its token was verified before")
  func revoked() throws {
    let key = try TestKey()
    var bench = Bench(key.credential())
    let value = try key.authorization(issuedAt: start / 1000)
    let before = bench.reason(value, at: start)
    bench.authority.revoke(teamID: key.teamID, keyID: key.keyID)
    let after = bench.reason(value, at: start)
    #expect(before == nil)
    #expect(after == .invalidProviderToken)
  }

  @Test("two authorization fields are duplicates")
  func duplicates() throws {
    let key = try TestKey()
    var gate = ConnectionGate()
    let authority = TokenAuthority()
    authority.register(key.credential())
    var headers = RequestHeaders()
    let value = Array(try key.authorization(issuedAt: start / 1000).utf8)
    for _ in 0..<2 { headers.add(name: Array("authorization".utf8), value: value) }
    #expect(throws: Refusal(.duplicateHeaders)) {
      try gate.admit(headers, at: start, on: .sandbox, by: authority)
    }
  }
}

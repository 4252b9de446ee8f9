internal import Crypto
internal import ServiceKit

/// The keys that "Apple" knows, and the judge of provider tokens made with them.
///
/// Owned by the simulator and shared by its connections; usable from any thread (its state is behind a lock, signatures are
/// checked outside of it).
package final class TokenAuthority: Sendable {
  package let policy: TokenPolicy
  private let state = Lock(State())

  private struct State: Sendable {
    var credentials: [Identity: SimulatedCredential] = [:]
    var histories: [Identity: TokenHistory] = [:]
    var generation: UInt64 = 0
  }

  private struct Identity: Hashable {
    let teamID: String
    let keyID: String
  }

  package init(policy: TokenPolicy = TokenPolicy()) { self.policy = policy }

  /// Changes with every registration and revocation; connections forget then what they had verified.
  package var generation: UInt64 { state.withLock { $0.generation } }

  package func register(_ credential: SimulatedCredential) {
    state.withLock {
      $0.credentials[Identity(teamID: credential.teamID, keyID: credential.keyID)] = credential
      $0.generation += 1
    }
  }

  package func revoke(teamID: String, keyID: String) {
    state.withLock {
      $0.credentials[Identity(teamID: teamID, keyID: keyID)] = nil
      $0.generation += 1
    }
  }

  /// Form, algorithm, key, signature and environment of an `authorization` value. Age and rate are the connection's business.
  package func verify(
    _ authorization: [UInt8], on environment: SimulatedEnvironment
  ) throws(Refusal) -> VerifiedToken {
    guard let token = ProviderToken(authorization: authorization) else { throw Refusal(.invalidProviderToken) }
    let identity = Identity(teamID: token.teamID, keyID: token.keyID)
    guard let credential = state.withLock({ $0.credentials[identity] }) else {
      guard policy.unknownKeys == .trusted else { throw Refusal(.invalidProviderToken) }
      return VerifiedToken(
        teamID: token.teamID, keyID: token.keyID, issuedAt: token.issuedAt, topics: .all, relatedKeyIDs: [])
    }
    guard isSigned(token, by: credential) else { throw Refusal(.invalidProviderToken) }
    guard credential.environments.contains(environment) else {
      throw Refusal(policy.environmentSpelling == .wire ? .badEnvironmentKeyInToken : .badEnvironmentKeyIDInToken)
    }
    return VerifiedToken(
      teamID: token.teamID, keyID: token.keyID, issuedAt: token.issuedAt, topics: credential.topics,
      relatedKeyIDs: credential.relatedKeyIDs)
  }

  /// Counts updates over all connections of a key.
  func admitForKey(_ bytes: [UInt8], _ token: VerifiedToken, now: Int64, interval: Int64) -> Bool {
    let identity = Identity(teamID: token.teamID, keyID: token.keyID)
    return state.withLock {
      $0.histories[identity, default: TokenHistory()].admit(bytes, now: now, interval: interval)
    }
  }

  private func isSigned(_ token: ProviderToken, by credential: SimulatedCredential) -> Bool {
    if credential.publicKey.isValid(raw: token.signature, for: token.signedBytes) { return true }
    guard policy.signatures == .rawAndDER else { return false }
    return credential.publicKey.isValid(der: token.signature, for: token.signedBytes)
  }
}

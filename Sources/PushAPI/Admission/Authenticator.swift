internal import Crypto
internal import HTTP
internal import PushCore
internal import ServiceKit

/// Turns what a request presents into a scope. The only code that makes scopes from credentials.
///
/// Owned by the handler; usable from any thread. Keys are looked up through the store, whose cache lasts seconds; devices are
/// checked with a keyed hash, without a read.
struct Authenticator: Sendable {
  private let tenancy: any TenancyStore
  private let keyring: any Keyring
  /// SHA-256 of the operator token: equal lengths make a comparison in constant time possible. `nil`: nobody is the operator.
  private let operatorDigest: [UInt8]?

  init(tenancy: any TenancyStore, keyring: any Keyring, operatorToken: Secret<String>?) {
    self.tenancy = tenancy
    self.keyring = keyring
    operatorDigest = operatorToken.map { SHA256.hash(Array($0.exposed.utf8)) }
  }

  /// Throws ``APIProblem/unauthenticated(_:)``, or what the store throws.
  func admit(_ endpoint: Endpoint, _ fields: HTTPFields) async throws -> Admission {
    let presented = PresentedCredentials(fields)
    switch endpoint {
    case .system(let endpoint): return .system(endpoint)
    case .registration(let endpoint): return .registration(endpoint)
    case .operator(let endpoint): return .operator(endpoint, try operatorScope(presented))
    case .account(let endpoint):
      let key = try await liveKey(presented, or: .accountKey)
      guard let scope = AccountScope(key: key, at: .now()) else {
        throw isLiveElsewhere(key) ? APIProblem.forbidden(needs: endpoint.permission) : .unauthenticated(.accountKey)
      }
      return .account(endpoint, scope, key.id)
    case .sender(let endpoint):
      let key = try await liveKey(presented, or: .appKey)
      guard let scope = TenantScope(key: key, at: .now()) else {
        throw isLiveElsewhere(key) ? APIProblem.forbidden(needs: endpoint.permission) : .unauthenticated(.appKey)
      }
      return .sender(endpoint, scope, key.id)
    case .device(let endpoint): return .device(endpoint, try await deviceScope(presented))
    }
  }

  private func operatorScope(_ presented: PresentedCredentials) throws(APIProblem) -> OperatorScope {
    guard let operatorDigest, let bearer = presented.bearer,
      let scope = OperatorScope.authenticated(
        constantTimeEquals(SHA256.hash(Array(bearer.utf8)), operatorDigest))
    else { throw .unauthenticated(.operatorToken) }
    return scope
  }

  private func liveKey(_ presented: PresentedCredentials, or challenge: Challenge) async throws -> APIKey {
    guard let bearer = presented.bearer, let text = PresentedAPIKey(bearer),
      let key = try await tenancy.key(presented: text)
    else { throw APIProblem.unauthenticated(challenge) }
    return key
  }

  /// Whether the key is good, only for the other plane: that is a lack of right, not of proof.
  private func isLiveElsewhere(_ key: APIKey) -> Bool {
    AccountScope(key: key, at: .now()) != nil || TenantScope(key: key, at: .now()) != nil
  }

  private func deviceScope(_ presented: PresentedCredentials) async throws -> DeviceScope {
    guard let bearer = presented.bearer, let app = presented.appID.flatMap({ AppID($0) }),
      let scope = try await keyring.device(presenting: bearer, for: app)
    else { throw APIProblem.unauthenticated(.receiptToken) }
    return scope
  }
}

/// How strictly provider tokens are judged. The defaults are Apple's documented figures.
package struct TokenPolicy: Sendable, Hashable {
  package var lifetimeSeconds: Int64 = 3600
  package var updateIntervalSeconds: Int64 = 20 * 60
  package var updateScope = TokenUpdateScope.connection
  package var afterExpired = AfterExpired.recovers
  package var environmentSpelling = EnvironmentSpelling.wire
  package var signatures = SignatureForms.rawAndDER
  package var unknownKeys = UnknownKeys.refused

  package init() {}

  /// Connections were seen that kept answering ExpiredProviderToken to fresh tokens until closed.
  package enum AfterExpired: String, Sendable, Hashable { case recovers, staysExpired }

  /// `BadEnvironmentKeyInToken` is on the wire, `BadEnvironmentKeyIdInToken` in the documentation.
  package enum EnvironmentSpelling: String, Sendable, Hashable { case wire, documented }

  package enum SignatureForms: String, Sendable, Hashable { case rawAndDER, rawOnly }

  /// `trusted` lets in any well-formed ES256 token of a key that is not registered, without checking its signature (there is
  /// nothing to check it with).
  package enum UnknownKeys: String, Sendable, Hashable { case refused, trusted }
}

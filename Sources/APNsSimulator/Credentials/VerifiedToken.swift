/// A provider token whose signature has been checked (or, for an unknown key in the accepting mode, skipped).
package struct VerifiedToken: Sendable {
  package let teamID: String
  package let keyID: String
  /// Seconds since 1970.
  package let issuedAt: Int64
  package let topics: SimulatedCredential.TopicScope
  package let relatedKeyIDs: Set<String>
}

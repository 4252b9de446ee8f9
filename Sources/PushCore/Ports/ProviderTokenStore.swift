/// Keeps the one current provider token of each (environment, team, key) for all processes.
///
/// Owned by the composition root; usable from any thread.
package protocol ProviderTokenStore: Sendable {
  /// The kept token and its age by the database's clock; when there is none, or it is older than `maximumAge` or made by another key
  /// than `fingerprint`, `mint` makes one under a lock that all processes share. `mint` is given the issue time.
  func token(
    for name: ProviderTokenName, maximumAge: Seconds, mint: @escaping @Sendable (Timestamp) throws -> [UInt8]
  ) async throws -> ProviderToken
}

package struct ProviderTokenName: Sendable, Hashable {
  package let environment: PushEnvironment
  package let teamID: String
  package let keyID: String
  package let fingerprint: String

  package init(environment: PushEnvironment, teamID: String, keyID: String, fingerprint: String) {
    self.environment = environment
    self.teamID = teamID
    self.keyID = keyID
    self.fingerprint = fingerprint
  }
}

/// A signed provider token. Printing it shows nothing.
package struct ProviderToken: Sendable, Hashable, CustomStringConvertible, CustomReflectable {
  package let text: [UInt8]
  package let issuedAt: Timestamp
  /// By the database's clock, when it was read.
  package let age: Seconds

  package init(text: [UInt8], issuedAt: Timestamp, age: Seconds) {
    self.text = text
    self.issuedAt = issuedAt
    self.age = age
  }

  package var description: String { "<provider token>" }
  package var customMirror: Mirror { Mirror(self, children: [:]) }
}

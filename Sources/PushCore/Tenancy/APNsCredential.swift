/// A private key's PEM text. Printing, interpolating and mirroring it show nothing; `pem` is the word to search for in a
/// review. Held only by what signs with it.
package struct SigningKey: Sendable, Hashable, CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable
{
  package let pem: [UInt8]
  package init(pem: [UInt8]) { self.pem = pem }
  package var description: String { "<signing key>" }
  package var debugDescription: String { "<signing key>" }
  package var customMirror: Mirror { Mirror(self, children: [:]) }
}

/// An app's key with Apple, opened for use. One per app; replaced as a whole.
package struct APNsCredential: Sendable, Hashable {
  package let teamID: String
  package let keyID: String
  /// The app's bundle id: the base of every topic.
  package let bundleID: String
  package let key: SigningKey
  /// SHA-256 of the public key, in hex: what people compare, and what tells a pool that the key was replaced.
  package let fingerprint: String

  package init(teamID: String, keyID: String, bundleID: String, key: SigningKey, fingerprint: String) {
    self.teamID = teamID
    self.keyID = keyID
    self.bundleID = bundleID
    self.key = key
    self.fingerprint = fingerprint
  }
}

/// What is known of a credential's acceptance by Apple.
package enum CredentialStatus: String, Sendable, Hashable, CaseIterable {
  /// Never tried with Apple.
  case unverified
  /// Apple has accepted it.
  case verified
  /// Apple refused it when it was tried.
  case rejected
  /// Apple refused it while sending: its queue waits, losing nothing, until the credential is replaced or verified.
  case paused
}

/// What an app's owner sees of its credential. Never the key.
package struct APNsCredentialInfo: Sendable, Hashable {
  package let teamID: String
  package let keyID: String
  package let bundleID: String
  package let fingerprint: String
  package let status: CredentialStatus
  package let checkedAt: Timestamp?
  /// Apple's reason, or ours, while `status` is `rejected` or `paused`.
  package let problem: Reason?

  package init(
    teamID: String, keyID: String, bundleID: String, fingerprint: String, status: CredentialStatus,
    checkedAt: Timestamp?, problem: Reason?
  ) {
    self.teamID = teamID
    self.keyID = keyID
    self.bundleID = bundleID
    self.fingerprint = fingerprint
    self.status = status
    self.checkedAt = checkedAt
    self.problem = problem
  }
}

package import Crypto

/// A provider key as Apple's side knows it: the public half and what it is good for.
package struct SimulatedCredential: Sendable {
  package let teamID: String
  package let keyID: String
  package let publicKey: ES256PublicKey
  package let environments: Set<SimulatedEnvironment>
  package let topics: TopicScope
  /// Keys that may share a connection with this one. Any other key on a used connection is unrelated.
  package let relatedKeyIDs: Set<String>

  package init(
    teamID: String, keyID: String, publicKey: ES256PublicKey,
    environments: Set<SimulatedEnvironment> = [.sandbox, .production], topics: TopicScope = .all,
    relatedKeyIDs: Set<String> = []
  ) {
    self.teamID = teamID
    self.keyID = keyID
    self.publicKey = publicKey
    self.environments = environments
    self.topics = topics
    self.relatedKeyIDs = relatedKeyIDs
  }

  /// Bundle ids that a key may push to.
  package enum TopicScope: Sendable, Hashable {
    case all
    case bundleIDs(Set<String>)

    package func permits(_ bundleID: String) -> Bool {
      switch self {
      case .all: true
      case .bundleIDs(let ids): ids.contains(bundleID)
      }
    }
  }
}

import Crypto

@testable import APNsSimulator

/// A provider key made for one test, with what it can be told to sign.
struct TestKey {
  let teamID: String
  let keyID: String
  let signer: ES256Signer

  init(teamID: String = "TEAM000001", keyID: String = "KEY0000001") throws {
    self.teamID = teamID
    self.keyID = keyID
    signer = try ES256Signer.generate()
  }

  func credential(
    environments: Set<SimulatedEnvironment> = [.sandbox, .production],
    topics: SimulatedCredential.TopicScope = .all, related: Set<String> = []
  ) -> SimulatedCredential {
    SimulatedCredential(
      teamID: teamID, keyID: keyID, publicKey: signer.publicKey(), environments: environments, topics: topics,
      relatedKeyIDs: related)
  }

  /// An `authorization` value; the claims in full are for broken ones.
  func authorization(issuedAt: Int64) throws -> String {
    try authorization(claims: #"{"iss":"\#(teamID)","iat":\#(issuedAt)}"#)
  }

  func authorization(header: String? = nil, claims: String, scheme: String = "bearer ") throws -> String {
    let header = header ?? #"{"alg":"ES256","kid":"\#(keyID)"}"#
    let signed = Base64URL.encode(Array(header.utf8)) + "." + Base64URL.encode(Array(claims.utf8))
    let signature = try signer.signature(of: Array(signed.utf8))
    return scheme + signed + "." + Base64URL.encode(signature)
  }
}

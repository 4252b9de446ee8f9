internal import JSON
internal import PushCore

extension JSONWriter {
  mutating func members(of account: Account) {
    member("id", account.id)
    member("name", account.name)
    member("created_at", account.createdAt)
    member("suspended_at", account.suspendedAt)
  }

  mutating func members(of app: App) {
    member("id", app.id)
    member("account_id", app.account)
    member("name", app.name)
    member("environment", app.environment.rawValue)
    member("created_at", app.createdAt)
  }

  /// Everything but the secret.
  mutating func members(of key: APIKey) {
    member("id", key.id)
    member("name", key.name)
    member("scopes", Permission.allCases.filter(key.permissions.contains).map(\.rawValue))
    member("created_at", key.createdAt)
    member("expires_at", key.expiresAt)
    member("revoked_at", key.revokedAt)
    member("last_used_at", key.lastUsedAt)
  }

  /// The key's text: the only answers with it are those that made the key.
  mutating func secret(_ secret: APIKeySecret, of owner: APIKeyOwner) {
    member("api_key", PresentedAPIKey(owner: owner, secret: secret.bytes).text)
  }

  mutating func members(of credential: APNsCredentialInfo) {
    member("team_id", credential.teamID)
    member("key_id", credential.keyID)
    member("bundle_id", credential.bundleID)
    member("fingerprint", credential.fingerprint)
    member("status", credential.status.rawValue)
    member("checked_at", credential.checkedAt)
    guard let problem = credential.problem else { return }
    member("problem") {
      $0.member("code", problem.rawValue)
      $0.member("detail", credential.sentence(for: problem))
    }
  }
}

extension APNsCredentialInfo {
  /// Names what was refused: mixed-up ids are the usual cause, and thousands of single failures would not say so.
  fileprivate func sentence(for problem: Reason) -> String {
    let subject = "key \(keyID) of team \(teamID) for \(bundleID)"
    return switch status {
    case .unverified, .verified, .rejected: "Apple refused \(subject): \(problem.rawValue)."
    case .paused:
      "Apple refused \(subject): \(problem.rawValue). The app's messages wait until the credential is replaced or verified."
    }
  }
}

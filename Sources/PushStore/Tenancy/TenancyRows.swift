internal import Postgres
internal import PushCore

/// Columns and their reading, side by side.
extension Account {
  static let columns: Query = "account_id, name, created_at, suspended_at"

  init(row: borrowing RowReader) throws {
    self.init(
      id: try row.value(0), name: try row.value(1), createdAt: try row.value(2), suspendedAt: try row.optional(3))
  }
}

extension App {
  static let columns: Query = "a.app_id, a.account_id, a.name, a.environment, a.created_at"

  init(row: borrowing RowReader) throws {
    self.init(
      id: try row.value(0), account: try row.value(1), name: try row.value(2), environment: try row.value(3),
      createdAt: try row.value(4))
  }
}

extension APIKey {
  static let columns: Query = "k.id, k.name, k.permissions, k.created_at, k.expires_at, k.revoked_at, k.last_used_at"

  init(row: borrowing RowReader, owner: APIKeyOwner) throws {
    // A permission that an older program does not know is one it cannot grant.
    let words = try row.array(2, of: String.self)
    self.init(
      id: try row.value(0), owner: owner, name: try row.value(1),
      permissions: Set(words.compactMap(Permission.init(rawValue:))), createdAt: try row.value(3),
      expiresAt: try row.optional(4), revokedAt: try row.optional(5), lastUsedAt: try row.optional(6))
  }
}

extension APNsCredentialInfo {
  static let columns: Query = "team_id, key_id, bundle_id, fingerprint, status, checked_at, problem"

  init(row: borrowing RowReader) throws {
    self.init(
      teamID: try row.value(0), keyID: try row.value(1), bundleID: try row.value(2), fingerprint: try row.value(3),
      status: try row.value(4), checkedAt: try row.optional(5), problem: try row.optional(6))
  }
}

extension Page {
  /// `elements` were asked for with one more than the limit: the surplus tells that there is another page.
  init(_ elements: [Element], limit: Int, key: (Element) -> UInt128) {
    guard elements.count > limit else {
      self.init(elements: elements, next: nil)
      return
    }
    let shown = Array(elements.prefix(limit))
    self.init(elements: shown, next: shown.last.map { PageKey(key($0)) })
  }
}

extension Optional {
  /// What a look-up found, or the refusal for what is not there.
  func found() throws(StoreRefusal) -> Wrapped {
    guard let self else { throw .notFound }
    return self
  }
}

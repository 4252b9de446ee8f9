internal import PushCore

struct CreateAccountRequest: RequestBody {
  static let schema = "CreateAccountRequest"
  static let required = ["name"]
  static let optional: [String] = []

  let name: String

  init(_ fields: FieldReader) { name = fields.text("name", FieldLimit.name) }
}

struct UpdateAccountRequest: RequestBody {
  static let schema = "UpdateAccountRequest"
  static let required: [String] = []
  static let optional = ["name", "suspended"]

  let name: String?
  let suspension: Suspension?

  init(_ fields: FieldReader) {
    name = fields.optionalText("name", FieldLimit.name)
    suspension = fields.flag("suspended").map { $0 ? .suspend : .lift }
  }
}

struct CreateAccountKeyRequest: RequestBody {
  static let schema = "CreateAccountKeyRequest"
  static let required = ["name"]
  static let optional = ["scopes", "expires_at"]

  let name: String
  let permissions: Set<Permission>
  let expiresAt: Timestamp?

  init(_ fields: FieldReader) {
    let all = Permission.allCases.filter(\.isForAccounts)
    name = fields.text("name", FieldLimit.name)
    permissions = fields.permissions("scopes", among: all) ?? Set(all)
    expiresAt = fields.futureTime("expires_at")
  }
}

struct CreateAppRequest: RequestBody {
  static let schema = "CreateAppRequest"
  static let required = ["name", "environment"]
  static let optional: [String] = []

  let name: String
  let environment: PushEnvironment

  init(_ fields: FieldReader) {
    name = fields.text("name", FieldLimit.name)
    environment = fields.choice("environment", or: .development)
  }
}

struct UpdateAppRequest: RequestBody {
  static let schema = "UpdateAppRequest"
  static let required = ["name"]
  static let optional: [String] = []

  let name: String

  init(_ fields: FieldReader) { name = fields.text("name", FieldLimit.name) }
}

struct CreateKeyRequest: RequestBody {
  static let schema = "CreateKeyRequest"
  static let required = ["name", "scopes"]
  static let optional = ["expires_at"]

  let name: String
  let permissions: Set<Permission>
  let expiresAt: Timestamp?

  init(_ fields: FieldReader) {
    name = fields.text("name", FieldLimit.name)
    fields.require("scopes")
    permissions = fields.permissions("scopes", among: Permission.allCases.filter { !$0.isForAccounts }) ?? []
    expiresAt = fields.futureTime("expires_at")
  }
}

struct RotateKeyRequest: RequestBody {
  static let schema = "RotateKeyRequest"
  static let required: [String] = []
  static let optional = ["overlap_seconds"]

  let overlap: Seconds

  /// A day is enough to roll a key out; a week bounds how long a leaked one can live on.
  static let overlapRange: ClosedRange<Int64> = 0...604_800
  static let defaultOverlap: Int64 = 86_400

  init(_ fields: FieldReader) {
    overlap = Seconds(fields.integer("overlap_seconds", Self.overlapRange) ?? Self.defaultOverlap)
  }
}

struct CredentialRequest: RequestBody {
  static let schema = "CredentialRequest"
  static let required = ["team_id", "key_id", "bundle_id", "p8"]
  static let optional: [String] = []

  let teamID: String
  let keyID: String
  let bundleID: String
  let p8: [UInt8]

  init(_ fields: FieldReader) {
    teamID = fields.text("team_id", FieldLimit.shortWord)
    keyID = fields.text("key_id", FieldLimit.shortWord)
    bundleID = fields.text("bundle_id", FieldLimit.identifier)
    p8 = Array(fields.text("p8", FieldLimit.p8).utf8)
  }
}

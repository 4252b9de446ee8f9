internal import PushCore

struct RegisterRequest: RequestBody {
  static let schema = "RegisterRequest"
  static let required = ["app_id", "device_id", "platform"]
  static let optional =
    ["anonymous_id", "push_provider", "token", "environment", "permission_state", "user_id", "identity_epoch"]
    + DeviceDetails.fields

  let app: AppID
  let identity: IdentityClaim
  let knownEpoch: Int32?
  /// What is registered, in the environment that is given or else the app's own.
  private let deviceID: String
  private let anonymousID: String?
  private let platform: Platform
  private let token: DeviceToken?
  private let environment: PushEnvironment?
  private let permission: PermissionState?
  private let details: DeviceDetails

  init(_ fields: FieldReader) {
    app = fields.id("app_id")
    deviceID = fields.text("device_id", FieldLimit.identifier)
    anonymousID = fields.optionalText("anonymous_id", FieldLimit.identifier)
    platform = fields.choice("platform", or: .ios)
    fields.check("push_provider", isOneOf: ["apns"])
    token = fields.deviceToken("token")
    environment = fields.optionalChoice("environment")
    permission = fields.optionalChoice("permission_state")
    // The one field of a device whose `null` says something: nobody is signed in.
    identity =
      fields.isPresent("user_id") ? .user(fields.optionalText("user_id", FieldLimit.identifier)) : .unchanged
    knownEpoch = fields.identityEpoch()
    details = DeviceDetails(fields)
  }

  func registration(with app: App) -> Registration {
    var registration = Registration(
      deviceID: deviceID, platform: platform, token: token, environment: environment ?? app.environment)
    registration.anonymousID = anonymousID
    registration.permission = permission
    registration.locale = details.locale
    registration.timezone = details.timezone
    registration.appVersion = details.appVersion
    registration.osVersion = details.osVersion
    registration.sdkVersion = details.sdkVersion
    registration.deviceModel = details.deviceModel
    registration.tags = details.tags
    return registration
  }
}

struct UpdateInstallationRequest: RequestBody {
  static let schema = "UpdateInstallationRequest"
  static let required: [String] = []
  static let optional = ["token", "environment", "permission_state"] + DeviceDetails.fields

  let change: InstallationChange

  init(_ fields: FieldReader) {
    var change = InstallationChange()
    change.token = fields.deviceToken("token")
    change.environment = fields.optionalChoice("environment")
    change.permission = fields.optionalChoice("permission_state")
    let details = DeviceDetails(fields)
    change.locale = details.locale
    change.timezone = details.timezone
    change.appVersion = details.appVersion
    change.osVersion = details.osVersion
    change.sdkVersion = details.sdkVersion
    change.deviceModel = details.deviceModel
    change.tags = details.tags
    self.change = change
  }
}

/// What registrations and later reports have in common.
struct DeviceDetails: Sendable {
  static let fields = ["locale", "timezone", "app_version", "os_version", "sdk_version", "device_model", "tags"]

  let locale: String?
  let timezone: String?
  let appVersion: String?
  let osVersion: String?
  let sdkVersion: String?
  let deviceModel: String?
  let tags: JSONText?

  init(_ fields: FieldReader) {
    locale = fields.optionalText("locale", FieldLimit.shortWord)
    timezone = fields.optionalText("timezone", FieldLimit.shortWord)
    appVersion = fields.optionalText("app_version", FieldLimit.word)
    osVersion = fields.optionalText("os_version", FieldLimit.word)
    sdkVersion = fields.optionalText("sdk_version", FieldLimit.word)
    deviceModel = fields.optionalText("device_model", FieldLimit.word)
    tags = fields.tags("tags")
  }
}

struct LoginRequest: RequestBody {
  static let schema = "LoginRequest"
  static let required = ["user_id"]
  static let optional = ["identity_epoch"]

  let userID: String
  let knownEpoch: Int32?

  init(_ fields: FieldReader) {
    userID = fields.text("user_id", FieldLimit.identifier)
    knownEpoch = fields.identityEpoch()
  }
}

struct LogoutRequest: RequestBody {
  static let schema = "LogoutRequest"
  static let required: [String] = []
  static let optional = ["identity_epoch"]

  let knownEpoch: Int32?

  init(_ fields: FieldReader) { knownEpoch = fields.identityEpoch() }
}

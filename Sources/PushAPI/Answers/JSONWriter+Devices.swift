internal import JSON
internal import PushCore

extension JSONWriter {
  /// A device token is never given back whole: a preview tells two apart.
  mutating func members(of installation: Installation) {
    let registration = installation.registration
    member("id", installation.id)
    member("device_id", registration.deviceID)
    member("anonymous_id", registration.anonymousID)
    member("user_id", installation.userID)
    member("identity_epoch", installation.identityEpoch)
    member("platform", registration.platform.rawValue)
    member("push_provider", "apns")
    member("environment", registration.environment.rawValue)
    member("permission_state", registration.permission?.rawValue)
    member("token_preview", registration.token?.description)
    member("locale", registration.locale)
    member("timezone", registration.timezone)
    member("app_version", registration.appVersion)
    member("os_version", registration.osVersion)
    member("sdk_version", registration.sdkVersion)
    member("device_model", registration.deviceModel)
    member("tags", registration.tags ?? JSONText(checked: Array("{}".utf8)))
    member("status", installation.retirement == nil ? "active" : "retired")
    member("retired_at", installation.retirement?.at)
    member("retired_reason", installation.retirement?.reason.rawValue)
    member("created_at", installation.createdAt)
    member("registered_at", installation.registeredAt)
  }
}

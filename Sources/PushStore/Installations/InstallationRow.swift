internal import Postgres
internal import PushCore

extension Installation {
  static let columns: Query = """
    i.id, i.device_id, i.anonymous_id, i.platform, i.token, i.environment, i.permission, i.user_id, i.identity_epoch,
    i.locale, i.timezone, i.app_version, i.os_version, i.sdk_version, i.device_model, i.tags, i.created_at,
    i.registered_at, i.retired_at, i.retired_reason
    """

  init(row: borrowing RowReader) throws {
    var registration = Registration(
      deviceID: try row.value(1), platform: try row.value(3), token: try row.optional(4), environment: try row.value(5))
    registration.anonymousID = try row.optional(2)
    registration.permission = try row.optional(6)
    registration.locale = try row.optional(9)
    registration.timezone = try row.optional(10)
    registration.appVersion = try row.optional(11)
    registration.osVersion = try row.optional(12)
    registration.sdkVersion = try row.optional(13)
    registration.deviceModel = try row.optional(14)
    registration.tags = try row.optional(15)
    let retiredAt = try row.optional(18, as: Timestamp.self)
    let reason = try row.optional(19, as: Reason.self)
    self.init(
      id: try row.value(0), registration: registration, userID: try row.optional(7), identityEpoch: try row.value(8),
      createdAt: try row.value(16), registeredAt: try row.value(17),
      retirement: retiredAt.flatMap { at in reason.map { Retirement(at: at, reason: $0) } })
  }
}

/// Rows of installations as arrays, one for each column: the form in which many go in one statement.
struct InstallationColumns {
  private let entries: [RegistryImage.Entry]

  init(_ entries: [RegistryImage.Entry]) { self.entries = entries }

  private func column<Value>(_ value: (Installation) -> Value) -> [Value] { entries.map { value($0.installation) } }

  /// As a set of rows named `u`, in the order of ``names``.
  var rows: Query {
    """
    unnest(\(column(\.id)), \(column(\.registration.deviceID)), \(column(\.registration.anonymousID)),
           \(column(\.registration.platform)), \(column(\.registration.token)), \(column(\.registration.environment)),
           \(column(\.registration.permission)), \(column(\.userID)), \(column(\.identityEpoch)),
           \(column(\.registration.locale)), \(column(\.registration.timezone)), \(column(\.registration.appVersion)),
           \(column(\.registration.osVersion)), \(column(\.registration.sdkVersion)),
           \(column(\.registration.deviceModel)), \(column(\.registration.tags)),
           \(column(\.retirement?.reason)), \(entries.map(\.isConfirmed)))
      AS u (\(fragment: Self.names), retired_reason, is_confirmed)
    """
  }

  static let names: Query = """
    id, device_id, anonymous_id, platform, token, environment, permission, user_id, identity_epoch, locale, timezone,
    app_version, os_version, sdk_version, device_model, tags
    """
}

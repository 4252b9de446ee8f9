/// Why something ended as it did, in one stable word: Apple's own (`BadDeviceToken`) or one of ours (`no_token`).
package struct Reason: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
  package let rawValue: String
  package init(rawValue: String) { self.rawValue = rawValue }
  package var description: String { rawValue }

  /// Apple's words are kept as they come, but never more than this of them: an answer may be anything.
  package static let maximumLength = 64
}

extension Reason {
  // Why an installation got nothing without being tried.
  package static let noToken = Reason(rawValue: "no_token")
  package static let noPermission = Reason(rawValue: "no_permission")
  package static let retired = Reason(rawValue: "retired")
  package static let noDevice = Reason(rawValue: "no_device")
  // Why a delivery ended.
  package static let expired = Reason(rawValue: "expired")
  package static let cancelled = Reason(rawValue: "cancelled")
  /// The message cannot be made into a payload that the provider takes. Our gap: the API should have refused it.
  package static let notRenderable = Reason(rawValue: "not_renderable")
  package static let appDeleted = Reason(rawValue: "app_deleted")
  // Why an installation is retired.
  package static let replaced = Reason(rawValue: "replaced")
  package static let deletedByDevice = Reason(rawValue: "deleted_by_device")
  // Why an answer is unknown.
  package static let noAnswer = Reason(rawValue: "no_answer")
  package static let connectionLost = Reason(rawValue: "connection_lost")
  package static let notConnected = Reason(rawValue: "not_connected")
  package static let credentialMissing = Reason(rawValue: "credential_missing")
}

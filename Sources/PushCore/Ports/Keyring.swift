/// The keyed hashes of an app: receipt tokens and delivery signatures. The keys are kept sealed, one for each app, and cached
/// opened, so that checking a device costs no database read.
///
/// Owned by the composition root; usable from any thread.
package protocol Keyring: Sendable {
  /// The same text for an installation every time, until the app's tokens are revoked.
  func receiptToken(for installation: InstallationID, in scope: TenantScope) async throws -> String

  /// `nil` when the token is not one of this app's, or there is no such app.
  func device(presenting receiptToken: String, for app: AppID) async throws -> DeviceScope?

  func signer(for scope: TenantScope) async throws -> any DeliverySigner
}

/// Signs deliveries of one app; synchronous and cheap, a microsecond a push. Usable from any thread.
package protocol DeliverySigner: Sendable {
  func sign(message: MessageID, installation: InstallationID) -> DeliverySignature
}

package import PushCore

internal import Crypto
internal import Postgres

extension PostgresStore: Keyring {
  package func receiptToken(for installation: InstallationID, in scope: TenantScope) async throws -> String {
    let keys = try await keys(of: scope.app).found()
    return ReceiptToken(for: installation, of: scope.app, keys: keys).text
  }

  package func device(presenting receiptToken: String, for app: AppID) async throws -> DeviceScope? {
    guard let token = ReceiptToken(receiptToken), let keys = try await keys(of: app) else { return nil }
    return DeviceScope.authenticated(
      token.isAuthentic(for: app, keys: keys), installation: token.installation, of: app)
  }

  package func signer(for scope: TenantScope) async throws -> any DeliverySigner {
    AppDeliverySigner(key: try await keys(of: scope.app).found().delivery)
  }

  /// Every receipt token of the app stops working, everywhere within seconds; devices get new ones when they register again.
  package func revokeReceiptTokens(in scope: TenantScope) async throws {
    let raised = try await api.execute(
      "UPDATE apps SET receipt_epoch = receipt_epoch + 1 WHERE app_id = \(scope.app) AND deleted_at IS NULL")
    appKeys.remove(scope.app)
    guard raised > 0 else { throw StoreRefusal.notFound }
  }

  /// Remembered for seconds, so that a raised epoch spreads; also that there is no such app. A suspended account's apps keep theirs:
  /// what was promised before is still sent.
  private func keys(of app: AppID) async throws -> AppKeys? {
    if let known = appKeys.value(for: app) { return known }
    let row = try await api.queryFirst(
      """
      SELECT a.sealed_keys, a.receipt_epoch
      FROM apps a
      WHERE a.app_id = \(app) AND a.deleted_at IS NULL
      """
    ) { (sealed: try $0.value(0, as: [UInt8].self), epoch: try $0.value(1, as: Int32.self)) }
    let keys = try row.map { try AppKeys(sealed: $0.sealed, epoch: $0.epoch, of: app, with: sealer) }
    appKeys.insert(keys, for: app)
    return keys
  }
}

/// Signs an app's deliveries with its delivery key. Immutable; usable from any thread.
struct AppDeliverySigner: DeliverySigner {
  let key: HMACSHA256

  func sign(message: MessageID, installation: InstallationID) -> DeliverySignature {
    withUnsafeTemporaryAllocation(byteCount: 32 + HMACSHA256.byteCount, alignment: 16) { buffer in
      buffer.storeBytes(of: message.value.bigEndian, as: UInt128.self)
      buffer.storeBytes(of: installation.value.bigEndian, toByteOffset: 16, as: UInt128.self)
      let hash = UnsafeMutableRawBufferPointer(rebasing: buffer[32...])
      key.writeCode(for: UnsafeRawBufferPointer(rebasing: buffer[..<32]), into: hash)
      return DeliverySignature(hash: UnsafeRawBufferPointer(hash))
    }
  }
}

internal import PushCore

/// Seals what must not lie open in the database. The context is bound into it: what was sealed for one row opens for no other.
package protocol Sealer: Sendable {
  func seal(_ plain: [UInt8], binding context: [UInt8]) throws -> [UInt8]
  func open(_ sealed: [UInt8], binding context: [UInt8]) throws -> [UInt8]
}

/// What something sealed belongs to.
struct SealContext: Sendable {
  let bytes: [UInt8]

  private init(_ kind: StaticString, _ rest: [UInt8]) { bytes = Array(kind.description.utf8) + [0] + rest }

  static func credential(of app: AppID) -> SealContext { SealContext("apns-credential", app.bytes) }
  static func appKeys(of app: AppID) -> SealContext { SealContext("app-keys", app.bytes) }

  /// Team and key ids have no NUL; the environment's code is one byte.
  static func providerToken(_ name: ProviderTokenName) -> SealContext {
    SealContext(
      "provider-token",
      [UInt8(truncatingIfNeeded: name.environment.code)] + Array(name.teamID.utf8) + [0] + Array(name.keyID.utf8))
  }
}

extension Sealer {
  func seal(_ plain: [UInt8], context: SealContext) throws -> [UInt8] { try seal(plain, binding: context.bytes) }

  /// Whatever does not open is one fault: which byte was wrong is nobody's business.
  func open(_ sealed: [UInt8], context: SealContext) throws(StoreError) -> [UInt8] {
    do {
      return try open(sealed, binding: context.bytes)
    } catch {
      throw StoreError(.unsealable)
    }
  }
}

/// What a request asks for, once its header fields have passed.
package struct PushFields: Sendable, Hashable {
  /// Lower-case hexadecimal; checked for syntax only by ``DeviceTokenSyntax``.
  package var token: [UInt8] = []
  package var messageID: [UInt8]?
  package var topic: String = ""
  package var bundleID: String = ""
  package var kind: PushKind?
  package var priority: Int = 10
  /// Seconds since 1970; 0 is "one attempt, not stored", nil is Apple's own storage time.
  package var expiration: Int64?
  package var collapseID: [UInt8]?

  package init() {}
}

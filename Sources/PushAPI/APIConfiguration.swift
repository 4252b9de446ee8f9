package import PushCore
package import ServiceKit

/// The ports that the API calls. A plain value; what it names is owned by the composition root.
package struct APIPorts: Sendable {
  package let tenancy: any TenancyStore
  package let installations: any InstallationStore
  package let messages: any MessageStore
  package let keyring: any Keyring
  package let provider: any PushProvider
  package let inspector: any CredentialInspector

  package init(
    tenancy: any TenancyStore, installations: any InstallationStore, messages: any MessageStore,
    keyring: any Keyring, provider: any PushProvider, inspector: any CredentialInspector
  ) {
    self.tenancy = tenancy
    self.installations = installations
    self.messages = messages
    self.keyring = keyring
    self.provider = provider
    self.inspector = inspector
  }
}

/// What the API is told once, at start. A plain value.
package struct APIConfiguration: Sendable {
  /// `nil`: the operator's calls are refused to everybody.
  package var operatorToken: Secret<String>?
  /// Signs list cursors; the same in every process, so that a page can be read from another. At least 32 bytes.
  package var cursorKey: Secret<[UInt8]>
  package var limits = RateLimits()
  /// The bytes of `openapi.json`.
  package var contract: [UInt8]
  /// Asked by `/readyz`; must answer within the probe's patience.
  package var readiness: @Sendable () async -> Readiness

  package init(
    operatorToken: Secret<String>?, cursorKey: Secret<[UInt8]>, contract: [UInt8],
    readiness: @escaping @Sendable () async -> Readiness
  ) {
    precondition(cursorKey.exposed.count >= 32, "a key shorter than the hash weakens it")
    self.operatorToken = operatorToken
    self.cursorKey = cursorKey
    self.contract = contract
    self.readiness = readiness
  }
}

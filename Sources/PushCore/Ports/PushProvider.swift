/// Carries pushes to one kind of device. APNs is the first; a later one is another adapter.
///
/// Owned by the composition root; usable from any thread; stopped by it.
package protocol PushProvider: Sendable {
  /// What this provider would refuse in a draft, judged on the very bytes it would send with our own fields at their largest.
  func problems(in draft: MessageDraft) -> [FieldProblem]

  /// Does once for a message what need not be done for each push. Throws when ``problems(in:)`` would have spoken.
  func compile(_ message: Message) throws -> any CompiledMessage

  /// Sends a group and reports every recipient exactly once, in any order, in portions, on a thread of the provider's; returns when
  /// the last has been reported. Never throws and never hangs: each push has a deadline, and what a stop or a refused connection
  /// leaves is reported as unsent or unanswered.
  func send(_ group: SendGroup, report: @escaping @Sendable ([SendResult]) -> Void) async
}

/// A message made ready by a provider; opaque to everybody else.
package protocol CompiledMessage: Sendable {}

/// Pushes that share an app, an environment and a credential: one message for thousands, or a hundred messages for one each.
package struct SendGroup: Sendable {
  package let app: AppID
  package let environment: PushEnvironment
  package let credential: APNsCredential
  package let messages: [any CompiledMessage]
  package let recipients: [Recipient]

  package init(
    app: AppID, environment: PushEnvironment, credential: APNsCredential, messages: [any CompiledMessage],
    recipients: [Recipient]
  ) {
    self.app = app
    self.environment = environment
    self.credential = credential
    self.messages = messages
    self.recipients = recipients
  }
}

package struct Recipient: Sendable {
  package let installation: InstallationID
  package let token: DeviceToken
  /// Index into the group's messages.
  package let message: Int32
  package let locale: String?
  package let signature: DeliverySignature

  package init(
    installation: InstallationID, token: DeviceToken, message: Int32, locale: String?, signature: DeliverySignature
  ) {
    self.installation = installation
    self.token = token
    self.message = message
    self.locale = locale
    self.signature = signature
  }
}

package struct SendResult: Sendable {
  /// Index into the group's recipients.
  package let recipient: Int32
  package let answer: ProviderAnswer
  package let answeredAt: Timestamp

  package init(recipient: Int32, answer: ProviderAnswer, answeredAt: Timestamp) {
    self.recipient = recipient
    self.answer = answer
    self.answeredAt = answeredAt
  }
}

/// Checks an uploaded key. Part of the provider, because it knows what a good one is.
package protocol CredentialInspector: Sendable {
  /// Reads an uploaded `.p8` (pasted text or a file's bytes), makes a test signature and returns what is to be kept.
  /// Throws the fault in words, by field.
  func inspect(teamID: String, keyID: String, bundleID: String, p8: [UInt8]) throws(FieldProblems) -> APNsCredential
}

/// Several ``FieldProblem``s thrown together.
package struct FieldProblems: Error, Sendable, Hashable {
  package let problems: [FieldProblem]
  package init(_ problems: [FieldProblem]) { self.problems = problems }
}

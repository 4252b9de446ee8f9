/// Whom a message is for. It is resolved when it is sent, to whoever is the right person then.
package enum Target: Sendable, Hashable {
  case users([String])
  case installations([InstallationID])
  /// Everybody who had registered when the message was made.
  case all

  /// As `users` and `installations` take them in one message.
  package static let maximumRecipients = 20_000
}

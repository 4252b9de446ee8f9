/// What became of one attempt to send, in the words of the delivery rules: each case is one row of the table in
/// `docs/delivery.md`, whatever provider answered.
package enum ProviderAnswer: Sendable, Hashable {
  /// The provider has taken it.
  case accepted
  /// Final: this push will never be taken.
  case rejected(Reason, TokenVerdict)
  /// Not now. The attempt counts; `after` is the provider's own wish.
  case retry(Reason, after: Seconds?)
  /// It was handed over and no answer came: it may or may not have been taken. The attempt counts; a resend carries the same
  /// `apns-id` and collapse id.
  case unanswered(Reason)
  /// It never reached the provider, or was surely not processed. No attempt is used.
  case unsent(Reason)
  /// The credential or the app's configuration was refused. No attempt is used; the app's queue waits.
  case held(Reason, HoldCause)
  /// Its time to live ran out before it could be handed over.
  case expired
}

/// What an answer says of the device token.
package enum TokenVerdict: Sendable, Hashable {
  /// Nothing.
  case keep
  /// Dead, unless so many of the app's tokens are at once that the app is the likelier culprit.
  case dead
  /// Belongs to another app of the team: dead for this one, with the same caution.
  case notForTopic
  /// Dead since then; a registration that is newer than this keeps it. `nil`: compare with the time of sending.
  case deadSince(Timestamp?)
}

/// Why an app's queue waits.
package enum HoldCause: Sendable, Hashable {
  case credential
  case configuration
}

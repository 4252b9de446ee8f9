/// Which of Apple's two services a token belongs to. It is a property of the build that made the token, so it is kept per
/// installation; an app only says which one its installations have when they do not say so themselves.
package enum PushEnvironment: String, Sendable, Hashable, CaseIterable {
  /// Tokens of development builds: Apple's sandbox.
  case development
  case production
}

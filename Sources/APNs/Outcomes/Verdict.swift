internal import PushCore

/// What one of Apple's answers means: for the push, for the connection it came on and for the provider token it was sent with.
///
/// A plain value, made by ``ReasonTable``.
struct Verdict: Sendable, Hashable {
  var answer: ProviderAnswer
  var connection: ConnectionEffect = .none
  var token: TokenEffect = .none

  enum ConnectionEffect: Sendable, Hashable {
    case none
    /// The server had a fault; several in a row retire the connection.
    case fault
    /// This connection is of no more use: no new pushes on it.
    case replace
    /// The credential is refused. Apple ties connections to what it knew of a key when they were opened, so all are closed.
    case closeAll
  }

  enum TokenEffect: Sendable, Hashable {
    case none
    /// Too old for Apple: renew it once, for everybody, and send the push again.
    case renew
    /// Renewed too often: make none for a while.
    case stopRenewing
  }
}

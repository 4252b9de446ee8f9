internal import HTTP
internal import PushCore

/// Why a request was not done, in the words of the API. Everything that goes wrong becomes one of these before it is answered.
///
/// A plain value; no case carries a secret or a caller's text.
enum APIProblem: Error, Sendable, Hashable {
  /// The body is not the one JSON document, or the form, that it has to be.
  case malformedBody(FieldProblem)
  /// All that is wrong with the fields, the query or the headers, together.
  case invalid([FieldProblem])
  case unauthenticated(Challenge)
  /// The credential is good and may not do this.
  case forbidden(needs: Permission)
  case unknownRoute
  case methodNotAllowed(allow: [HTTPMethod])
  /// There is none, or it is somebody else's.
  case notFound
  /// A report that names an identity older than the one that is known.
  case staleIdentity
  /// The word says what stands in the way.
  case conflict(String)
  /// The idempotency key was used with another body.
  case idempotencyKeyReused
  case bodyTooLarge(maximum: Int)
  case unsupportedMediaType(accepted: String)
  case rateLimited(retryAfter: Int)
  /// We are the cause: the database is away, the pool or a queue is full.
  case unavailable
  /// Asked for by a probe.
  case notReady(String)

  static func invalid(_ pointer: String, _ code: String, _ detail: String) -> APIProblem {
    .invalid([FieldProblem(pointer: pointer, code: code, detail: detail)])
  }
}

/// What a caller without a good credential is told to bring.
enum Challenge: Sendable, Hashable {
  case operatorToken
  case accountKey
  case appKey
  case receiptToken

  var detail: String {
    switch self {
    case .operatorToken: "This needs the operator token in Authorization: Bearer."
    case .accountKey: "This needs a live API key of an account in Authorization: Bearer."
    case .appKey: "This needs a live API key of an app in Authorization: Bearer."
    case .receiptToken:
      "This needs the installation's receipt token in Authorization: Bearer and the app's id in X-Bolrach-App-ID."
    }
  }
}

internal import HTTP
internal import PushCore

/// The one place where statuses are chosen: of the answers that report success and of those that report a problem.
///
/// A plain value, made for one answer.
struct ErrorEnvelope {
  let problem: APIProblem

  /// Seconds that a caller is asked to wait when we are the cause: about what a failover or a full queue takes.
  static let retryAfter = 2

  var status: HTTPStatus {
    switch problem {
    case .malformedBody, .invalid: .badRequest
    case .unauthenticated: .unauthorized
    case .forbidden: .forbidden
    case .unknownRoute, .notFound: .notFound
    case .methodNotAllowed: .methodNotAllowed
    case .staleIdentity, .conflict: .conflict
    case .idempotencyKeyReused: .unprocessableContent
    case .bodyTooLarge: .contentTooLarge
    case .unsupportedMediaType: .unsupportedMediaType
    case .rateLimited: .tooManyRequests
    case .unavailable, .notReady: .serviceUnavailable
    }
  }

  /// Stable, for programs.
  var code: String {
    switch problem {
    case .malformedBody: "malformed_body"
    case .invalid: "invalid_request"
    case .unauthenticated: "unauthenticated"
    case .forbidden: "insufficient_scope"
    case .unknownRoute: "unknown_route"
    case .methodNotAllowed: "method_not_allowed"
    case .notFound: "not_found"
    case .staleIdentity: "stale_identity"
    case .conflict: "conflict"
    case .idempotencyKeyReused: "idempotency_key_reused"
    case .bodyTooLarge: "body_too_large"
    case .unsupportedMediaType: "unsupported_media_type"
    case .rateLimited: "rate_limited"
    case .unavailable: "unavailable"
    case .notReady: "not_ready"
    }
  }

  var detail: String {
    switch problem {
    case .malformedBody: "The body cannot be read; see errors."
    case .invalid(let problems) where problems.count == 1: "One thing is wrong with the request; see errors."
    case .invalid(let problems): "\(problems.count) things are wrong with the request; see errors."
    case .unauthenticated(let challenge): challenge.detail
    case .forbidden(let permission) where permission.isForAccounts:
      "This needs a key of an account with the scope \(permission.rawValue)."
    case .forbidden(let permission): "This needs a key of the app with the scope \(permission.rawValue)."
    case .unknownRoute: "There is nothing at this path."
    case .methodNotAllowed(let allow): "This path takes \(allow.allowField)."
    case .notFound: "There is no such thing here."
    case .staleIdentity: "The device has changed hands since the identity that this report names."
    case .conflict(let word): "This cannot be done now: \(word)."
    case .idempotencyKeyReused: "This idempotency key was used before with another body."
    case .bodyTooLarge(let maximum): "The body has more than \(maximum) bytes."
    case .unsupportedMediaType(let accepted): "The body has to be \(accepted)."
    case .rateLimited: "Too many requests; the Retry-After field says when to come back."
    case .unavailable: "The service cannot do this right now. Nothing was decided; try again."
    case .notReady(let word): "Not ready: \(word)."
    }
  }

  var errors: [FieldProblem] {
    switch problem {
    case .invalid(let problems): problems
    case .malformedBody(let problem): [problem]
    case .unauthenticated, .forbidden, .unknownRoute, .methodNotAllowed, .notFound, .staleIdentity,
      .conflict, .idempotencyKeyReused, .bodyTooLarge, .unsupportedMediaType, .rateLimited, .unavailable, .notReady:
      []
    }
  }

  var fields: HTTPFields {
    switch problem {
    case .unauthenticated: ["WWW-Authenticate": "Bearer realm=\"bolrach\""]
    case .forbidden(let permission):
      [
        "WWW-Authenticate":
          "Bearer realm=\"bolrach\", error=\"insufficient_scope\", scope=\"\(permission.rawValue)\""
      ]
    case .methodNotAllowed(let allow): ["Allow": allow.allowField]
    case .rateLimited(let seconds): ["Retry-After": "\(seconds)"]
    case .unavailable, .notReady: ["Retry-After": "\(Self.retryAfter)"]
    case .malformedBody, .invalid, .unknownRoute, .notFound, .staleIdentity, .conflict, .idempotencyKeyReused,
      .bodyTooLarge, .unsupportedMediaType:
      [:]
    }
  }
}

/// How a request succeeded.
enum Success: Sendable, Hashable {
  case ok, created, accepted, noContent

  var status: HTTPStatus {
    switch self {
    case .ok: .ok
    case .created: .created
    case .accepted: .accepted
    case .noContent: .noContent
    }
  }
}

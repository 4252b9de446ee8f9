package import HTTP

/// Every reason for which the server itself answers a request, before or instead of the handler.
///
/// The raw value is the stable `code` of the error body. After a refusal of bytes the connection is closed, because
/// where the next request would begin is no longer certain.
package enum Refusal: String, Error, Sendable, CaseIterable {
  case malformedRequest = "malformed_request"
  case malformedTarget = "malformed_target"
  case malformedHost = "malformed_host"
  case malformedFraming = "malformed_framing"
  case malformedChunk = "malformed_chunk"
  case requestTimeout = "request_timeout"
  case bodyTooLarge = "body_too_large"
  case targetTooLong = "target_too_long"
  case expectationFailed = "expectation_failed"
  case headTooLarge = "head_too_large"
  case methodNotImplemented = "method_not_implemented"
  case codingNotImplemented = "transfer_coding_not_implemented"
  case versionNotSupported = "http_version_not_supported"
  case overloaded = "overloaded"
  case handlerTimeout = "handler_timeout"

  package var status: HTTPStatus {
    switch self {
    case .malformedRequest, .malformedTarget, .malformedHost, .malformedFraming, .malformedChunk: .badRequest
    case .requestTimeout: .requestTimeout
    case .bodyTooLarge: .contentTooLarge
    case .targetTooLong: .uriTooLong
    case .expectationFailed: .expectationFailed
    case .headTooLarge: .requestHeaderFieldsTooLarge
    case .methodNotImplemented, .codingNotImplemented: .notImplemented
    case .versionNotSupported: .httpVersionNotSupported
    case .overloaded, .handlerTimeout: .serviceUnavailable
    }
  }

  /// One sentence for the client; never repeats what it sent.
  package var detail: String {
    switch self {
    case .malformedRequest: "The request line or a header field is malformed."
    case .malformedTarget: "The request target is malformed."
    case .malformedHost: "A request needs exactly one well-formed Host field."
    case .malformedFraming: "Content-Length and Transfer-Encoding do not state one length of the body."
    case .malformedChunk: "The chunked body is malformed, or has extensions or trailers."
    case .requestTimeout: "The request did not arrive in time."
    case .bodyTooLarge: "The body is larger than this resource accepts."
    case .targetTooLong: "The request target is too long."
    case .expectationFailed: "The only expectation supported is 100-continue."
    case .headTooLarge: "The header is too large or has too many fields."
    case .methodNotImplemented: "The method is not implemented."
    case .codingNotImplemented: "The only transfer coding supported is chunked."
    case .versionNotSupported: "The versions supported are HTTP/1.0, HTTP/1.1 and, over TLS, HTTP/2."
    case .overloaded: "The server is handling as many requests as it can."
    case .handlerTimeout: "The request was not handled in time."
    }
  }

  /// `application/problem+json` in the form all our errors have, for servers composed without a renderer of their own.
  package var problem: HTTPResponse {
    // Constants of this file only, free of characters that JSON escapes.
    let json = """
      {"type":"about:blank","title":"\(status.reason)","status":\(status.code),"code":"\(rawValue)","detail":"\(detail)"}
      """
    var response = HTTPResponse(status: status, contentType: "application/problem+json", body: Array(json.utf8))
    if status == .serviceUnavailable { response.fields.append("Retry-After", "1") }
    return response
  }
}

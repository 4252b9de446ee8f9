package import HTTP
package import HTTPServer

/// What the server asks of the API besides its answers.
extension APIHandler {
  /// Bytes that the body of this request may have; `nil`: as many as any other's.
  package func bodyLimit(for head: HTTPRequestHead) -> Int? {
    guard case .found(.sender(.createMessage), _, _) = table.match(head.method, head.target.path) else { return nil }
    return BodyLimit.message
  }

  /// The server's own refusals in the form that all errors have. Their statuses are the server's: they are part of the protocol,
  /// and no request has come about.
  package func response(to refusal: Refusal) -> HTTPResponse {
    let requestID = RequestID.of([:])
    var response = ProblemDocument(
      status: refusal.status, code: refusal.rawValue, detail: refusal.detail, errors: [], requestID: requestID
    ).response
    response.fields.append(RequestID.header, requestID)
    if refusal.status == .serviceUnavailable { response.fields.append("Retry-After", "\(ErrorEnvelope.retryAfter)") }
    return response
  }
}

internal import HTTP

/// What became of one request, before it is written as a response.
struct Outcome: Sendable {
  let allowance: Allowance
  let result: Result<Answer, APIProblem>
  /// `nil` when the path fitted no route.
  var template: String?

  func response(requestID: String) -> HTTPResponse {
    var response =
      switch result {
      case .success(let answer): answer.response
      case .failure(let problem): ErrorEnvelope(problem: problem).response(requestID: requestID)
      }
    response.fields.append(RequestID.header, requestID)
    response.fields.append("RateLimit-Limit", "\(allowance.limit)")
    response.fields.append("RateLimit-Remaining", "\(allowance.remaining)")
    response.fields.append("RateLimit-Reset", "\(allowance.resetAfter)")
    // Answers hold keys, receipt tokens and what changes from one moment to the next.
    response.fields.append("Cache-Control", "no-store")
    return response
  }
}

extension Answer {
  fileprivate var response: HTTPResponse {
    var response = HTTPResponse(status: success.status, fields: fields, body: body)
    if let contentType { response.fields.append("Content-Type", contentType) }
    return response
  }
}

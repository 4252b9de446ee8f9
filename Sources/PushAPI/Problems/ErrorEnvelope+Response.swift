internal import HTTP

extension ErrorEnvelope {
  func response(requestID: String) -> HTTPResponse {
    var response = ProblemDocument(
      status: status, code: code, detail: detail, errors: errors, requestID: requestID
    ).response
    for (name, value) in fields { response.fields.append(name, value) }
    return response
  }
}

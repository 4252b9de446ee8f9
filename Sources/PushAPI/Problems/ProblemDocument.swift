internal import HTTP
package import JSON
package import PushCore

/// `application/problem+json` (RFC 9457), in the one form that all errors have. A plain value.
struct ProblemDocument: Sendable {
  let status: HTTPStatus
  let code: String
  let detail: String
  let errors: [FieldProblem]
  let requestID: String

  var response: HTTPResponse {
    var writer = JSONWriter()
    writer.object { body in
      body.member("type", "urn:bolrach:problem:\(code)")
      body.member("title", status.reason)
      body.member("status", Int(status.code))
      body.member("code", code)
      body.member("detail", detail)
      body.member("errors", errors)
      body.member("request_id", requestID)
    }
    return HTTPResponse(status: status, contentType: "application/problem+json", body: writer.bytes)
  }
}

extension FieldProblem: JSONWritable {
  package func write(to writer: inout JSONWriter) {
    writer.object {
      $0.member("pointer", pointer)
      $0.member("code", code)
      $0.member("detail", detail)
    }
  }
}

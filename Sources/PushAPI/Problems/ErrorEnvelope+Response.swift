internal import HTTP
package import JSON
package import PushCore

extension ErrorEnvelope {
  /// `application/problem+json` (RFC 9457), in the one form that all errors have.
  func response(requestID: String) -> HTTPResponse {
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
    var response = HTTPResponse(status: status, fields: fields, body: writer.bytes)
    response.fields.append("Content-Type", "application/problem+json")
    return response
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

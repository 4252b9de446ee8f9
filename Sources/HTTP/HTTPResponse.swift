/// One whole answer. The server adds `Date`, `Server`, `Content-Length` and what the connection needs, and overrides
/// such fields if a handler sets them.
package struct HTTPResponse: Sendable, Equatable {
  package var status: HTTPStatus
  package var fields: HTTPFields
  package var body: [UInt8]

  package init(status: HTTPStatus, fields: HTTPFields = HTTPFields(), body: [UInt8] = []) {
    self.status = status
    self.fields = fields
    self.body = body
  }

  package init(status: HTTPStatus, contentType: String, body: [UInt8]) {
    self.init(status: status, fields: ["Content-Type": contentType], body: body)
  }
}

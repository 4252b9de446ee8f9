/// Why a piece of HTTP text was refused by one of the parsers of this module.
///
/// The description names the rule that was broken and never repeats what the client sent.
package struct HTTPError: Error, Sendable, Hashable {
  package enum Code: String, Sendable, Hashable {
    case malformedTarget = "malformed_target"
    case malformedMediaType = "malformed_media_type"
    case malformedMultipart = "malformed_multipart"
    case multipartTooLarge = "multipart_too_large"
    case malformedTemplate = "malformed_template"
    case duplicateRoute = "duplicate_route"
  }

  package let code: Code
  package let detail: String

  package init(_ code: Code, _ detail: String) {
    self.code = code
    self.detail = detail
  }
}

extension HTTPError: CustomStringConvertible {
  package var description: String { "\(code.rawValue): \(detail)" }
}

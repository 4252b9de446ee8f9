/// The request methods this server knows. Method names are case-sensitive (RFC 9110 section 9.1); any other name is
/// answered 501 by the server and never reaches a handler.
package enum HTTPMethod: String, CaseIterable, Sendable, Hashable {
  case get = "GET"
  case head = "HEAD"
  case post = "POST"
  case put = "PUT"
  case patch = "PATCH"
  case delete = "DELETE"
  case options = "OPTIONS"

  package init?(_ bytes: Span<UInt8>) {
    for method in Self.allCases where method.matches(bytes) {
      self = method
      return
    }
    return nil
  }

  private func matches(_ bytes: Span<UInt8>) -> Bool {
    let name = rawValue.utf8
    guard name.count == bytes.count else { return false }
    var position = 0
    for byte in name {
      guard byte == bytes[position] else { return false }
      position += 1
    }
    return true
  }
}

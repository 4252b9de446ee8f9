/// The parts of a `multipart/form-data` body (RFC 7578), read whole from memory.
///
/// Strict, because the only senders are browsers, curl and HTTP libraries: no preamble, no epilogue beyond one CRLF,
/// CRLF line ends, every part named, no transfer encoding, no `filename*`. A plain value of one request.
package struct MultipartForm: Sendable {
  package struct Part: Sendable, Hashable {
    package let name: String
    package let filename: String?
    package let contentType: MediaType?
    package let body: [UInt8]
  }

  /// Bounds of one form, in parts and bytes.
  package struct Limits: Sendable {
    package var parts = 16
    package var partHeader = 1024
    package var partBody = 256 * 1024

    package init() {}
  }

  package let parts: [Part]

  /// - Throws: `multipartTooLarge` when a bound is crossed, `malformedMultipart` for everything else.
  package init(parsing body: [UInt8], contentType: MediaType, limits: Limits = Limits()) throws(HTTPError) {
    guard contentType.essence == "multipart/form-data", let boundary = contentType.parameters["boundary"],
      Self.isBoundary(boundary)
    else { throw HTTPError(.malformedMultipart, "the media type must be multipart/form-data with a boundary") }
    var reader = MultipartReader(body: body, boundary: boundary, limits: limits)
    parts = try reader.parts()
  }

  /// The only part of that name; nil when there is none or more than one, which no form of ours allows.
  package subscript(name: String) -> Part? {
    let named = parts.filter { $0.name == name }
    return named.count == 1 ? named[0] : nil
  }

  /// RFC 2046 section 5.1.1: 1 to 70 of these characters, not ending in a space.
  private static func isBoundary(_ text: String) -> Bool {
    guard (1...70).contains(text.utf8.count), text.utf8.last != 0x20 else { return false }
    return text.utf8.allSatisfy { byte in
      switch byte {
      case 0x30...0x39, 0x41...0x5a, 0x61...0x7a: true
      default: "'()+_,-./:=? ".utf8.contains(byte)
      }
    }
  }
}

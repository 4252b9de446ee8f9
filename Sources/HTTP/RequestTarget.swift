/// A request target taken apart: origin form (`/path?query`), absolute form (`http://host/path`) or `*`.
///
/// Decisions, each tested:
/// - A path is split at `/` first and decoded afterwards, so `%2F` is data inside its segment (an external user id may
///   contain a slash) and can never make a segment of its own.
/// - A segment that is `.` or `..`, plain or encoded, is refused rather than resolved: no client of ours needs it, and
///   nothing behind the router then has to think of it.
/// - An encoded NUL, a broken escape, text that is not UTF-8 and a fragment are refused.
/// - Empty segments stay visible (`/a//b`, `/a/`), so they match no route instead of quietly matching another one.
package struct RequestTarget: Sendable, Hashable {
  /// More than the deepest route has by far; the bound keeps `////...` from making thousands of strings.
  package static let maximumSegments = 64

  package let raw: String
  /// Decoded segments; empty for `/` and for `*`.
  package let path: [String]
  package let query: QueryItems
  /// Host and port as written, only in absolute form.
  package let authority: String?

  /// - Parameter bytes: visible ASCII, as the reader has checked.
  package init(parsing bytes: Span<UInt8>) throws(HTTPError) {
    guard bytes.count > 0 else { throw HTTPError(.malformedTarget, "the target is empty") }
    raw = bytes.withUnsafeBufferPointer { String(decoding: $0, as: UTF8.self) }
    if bytes.count == 1, bytes[0] == 0x2a {
      (path, query, authority) = ([], QueryItems(), nil)
      return
    }
    let pathStart = try Self.authorityEnd(bytes)
    authority =
      pathStart == 0 ? nil : String(raw.utf8.prefix(pathStart).drop { $0 != 0x2f }.dropFirst(2))
    var pathEnd = bytes.count
    for position in pathStart..<bytes.count {
      if bytes[position] == 0x23 { throw HTTPError(.malformedTarget, "a fragment is not part of a target") }
      if bytes[position] == 0x3f, pathEnd == bytes.count { pathEnd = position }
    }
    path = try Self.segments(bytes.extracting(pathStart..<pathEnd))
    query =
      pathEnd == bytes.count ? QueryItems() : try QueryItems(parsing: bytes.extracting(pathEnd + 1..<bytes.count))
  }

  package init(parsing text: String) throws(HTTPError) { try self.init(parsing: Array(text.utf8).span) }

  /// Whether this is the `*` of `OPTIONS *`, which asks about the server and not about a resource.
  package var isAsterisk: Bool { raw == "*" }

  /// Where the path begins: 0 in origin form, behind `scheme://authority` in absolute form.
  private static func authorityEnd(_ bytes: Span<UInt8>) throws(HTTPError) -> Int {
    if bytes[0] == 0x2f { return 0 }
    for scheme in ["http://", "https://"] {
      let length = scheme.utf8.count
      guard bytes.count > length, startsIgnoringCase(bytes, scheme) else { continue }
      var end = length
      while end < bytes.count, bytes[end] != 0x2f, bytes[end] != 0x3f, bytes[end] != 0x23 { end += 1 }
      guard end > length else { break }
      return end
    }
    throw HTTPError(.malformedTarget, "the target must begin with a slash")
  }

  private static func startsIgnoringCase(_ bytes: Span<UInt8>, _ prefix: String) -> Bool {
    var position = 0
    for byte in prefix.utf8 {
      guard FieldSyntax.lowercased(bytes[position]) == byte else { return false }
      position += 1
    }
    return true
  }

  private static func segments(_ bytes: Span<UInt8>) throws(HTTPError) -> [String] {
    guard bytes.count > 1 else { return [] }
    var segments: [String] = []
    segments.reserveCapacity(8)
    var start = 1
    while start <= bytes.count {
      var end = start
      while end < bytes.count, bytes[end] != 0x2f { end += 1 }
      guard segments.count < maximumSegments else { throw HTTPError(.malformedTarget, "too many path segments") }
      let segment = try PercentCoding.decode(bytes.extracting(start..<end), .segment)
      guard segment != ".", segment != ".." else {
        throw HTTPError(.malformedTarget, "dot segments are not allowed")
      }
      segments.append(segment)
      start = end + 1
    }
    return segments
  }
}

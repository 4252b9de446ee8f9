internal import PushCore

/// The body of an answer that is not 200: `{"reason":"Unregistered","timestamp":1700000000000}` from Apple, and anything at all from
/// whatever else may answer in its place.
///
/// A plain value. `reason` is safe to store and show: printable, and bounded.
struct ErrorBody: Sendable, Hashable {
  var reason: String?
  /// As it came; see ``deadSince(answeredAt:)``.
  var timestamp: Int64?

  /// More than this of a body is not read. Apple's are under 100 bytes.
  static let maximumBytes = 1024

  init(reason: String? = nil, timestamp: Int64? = nil) {
    self.reason = reason
    self.timestamp = timestamp
  }

  init(_ body: UnsafeRawBufferPointer) {
    var scanner = ErrorBodyScanner(UnsafeRawBufferPointer(rebasing: body.prefix(Self.maximumBytes)))
    while let member = scanner.nextMember() {
      switch (member.name, member.value) {
      case ("reason", .text(let bytes)): reason = Self.sanitised(bytes)
      case ("timestamp", .text(let bytes)), ("timestamp", .number(let bytes)): timestamp = Self.integer(bytes)
      default: continue
      }
    }
  }

  /// Since when Apple knows the token to be dead. Documented as milliseconds; values that only make sense as seconds or microseconds are
  /// read as those, and none lies in the future: Apple cannot have learned it later than now.
  func deadSince(answeredAt: Timestamp) -> Timestamp? {
    guard let timestamp, timestamp > 0 else { return nil }
    let milliseconds =
      switch timestamp {
      // In milliseconds this would be before 1973, years before there was a push service.
      case ..<100_000_000_000: timestamp * 1000
      // In milliseconds this would be after the year 5138.
      case 100_000_000_000_000...: timestamp / 1000
      default: timestamp
      }
    guard milliseconds < 100_000_000_000_000 else { return nil }
    return min(Timestamp(milliseconds: milliseconds), answeredAt)
  }

  private static func sanitised(_ bytes: [UInt8]) -> String? {
    guard !bytes.isEmpty else { return nil }
    let printable = bytes.prefix(Reason.maximumLength).map { (0x20...0x7e).contains($0) ? $0 : UInt8(ascii: "?") }
    return String(decoding: printable, as: UTF8.self)
  }

  private static func integer(_ bytes: [UInt8]) -> Int64? {
    let text = String(decoding: bytes, as: UTF8.self)
    return Int64(text) ?? Double(text).flatMap { Int64(exactly: $0.rounded(.down)) }
  }
}

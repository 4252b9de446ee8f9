internal import PushCore

/// `Retry-After` in its form of seconds. Apple does not document the header; what stands before it may send one.
enum RetryAfter {
  /// No wish of theirs holds a push back longer: a typo there must not become a day here.
  static let maximum = Seconds(900)

  static func seconds(_ value: String) -> Seconds? {
    guard !value.isEmpty, value.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }) else {
      return nil
    }
    // More digits than fit are simply more than the maximum.
    return min(Int64(value).map(Seconds.init) ?? maximum, maximum)
  }
}

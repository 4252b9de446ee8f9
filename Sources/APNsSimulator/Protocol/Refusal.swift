/// A refused push: Apple's reason and, for a 410, when the token was found dead.
package struct Refusal: Error, Sendable, Hashable {
  package let reason: RefusalReason
  /// Milliseconds since 1970; only 410 answers carry one.
  package let timestamp: Int64?

  package init(_ reason: RefusalReason, timestamp: Int64? = nil) {
    self.reason = reason
    self.timestamp = timestamp
  }

  /// The compact body that Apple sends: no blanks, `reason` first.
  package var body: [UInt8] {
    guard let timestamp else { return Array("{\"reason\":\"\(reason.rawValue)\"}".utf8) }
    return Array("{\"reason\":\"\(reason.rawValue)\",\"timestamp\":\(timestamp)}".utf8)
  }
}

/// One request as it arrived, and what was done with it.
package struct RecordedRequest: Sendable {
  /// Counts the host's requests from 1; has gaps only where the ring has dropped its oldest.
  package let number: UInt64
  package let connection: UInt64
  package let stream: Int32
  /// In the order received, pseudo-header fields included.
  package let headers: [HeaderLine]
  package let body: [UInt8]
  /// Milliseconds since 1970, when its last byte had come.
  package let receivedAt: Int64
  package let outcome: Outcome

  /// Decided when the request arrives, also if the answer is held back.
  package enum Outcome: Sendable, Hashable {
    case answered(status: Int, reason: String?)
    /// Accepted or refused with this status, and the answer thrown away.
    case answerLost(status: Int)
    case ignored
    case reset(code: UInt32)
    case connectionCut
  }

  package func value(_ name: String) -> String? {
    headers.first { $0.name.elementsEqual(name.utf8) }?.valueText
  }

  /// The device token of the path.
  package var deviceToken: String {
    let path = value(":path") ?? ""
    return path.hasPrefix("/3/device/") ? String(path.dropFirst("/3/device/".count)) : ""
  }

  var size: Int { body.count + headers.reduce(64) { $0 + $1.name.count + $1.value.count + 64 } }
}

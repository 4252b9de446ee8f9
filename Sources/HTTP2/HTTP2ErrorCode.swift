/// The error codes of RFC 9113, section 7, as they stand in RST_STREAM and GOAWAY.
package struct HTTP2ErrorCode: RawRepresentable, Sendable, Hashable {
  package let rawValue: UInt32
  package init(rawValue: UInt32) { self.rawValue = rawValue }

  package static let noError = HTTP2ErrorCode(rawValue: 0)
  package static let protocolError = HTTP2ErrorCode(rawValue: 1)
  package static let internalError = HTTP2ErrorCode(rawValue: 2)
  package static let refusedStream = HTTP2ErrorCode(rawValue: 7)
  package static let cancel = HTTP2ErrorCode(rawValue: 8)
  package static let enhanceYourCalm = HTTP2ErrorCode(rawValue: 11)
}

/// A GOAWAY frame. `debugData` is whatever the peer wrote, at most 1 KiB of it.
package struct GoAway: Sendable, Hashable {
  package let lastStreamID: Int32
  package let code: HTTP2ErrorCode
  package let debugData: [UInt8]

  package static let maximumDebugData = 1024

  package init(lastStreamID: Int32, code: HTTP2ErrorCode, debugData: [UInt8]) {
    self.lastStreamID = lastStreamID
    self.code = code
    self.debugData = debugData
  }
}

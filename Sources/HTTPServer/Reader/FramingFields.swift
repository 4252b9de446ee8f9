import HTTP

/// What the fields of one head say about its framing and its connection, gathered while they are read.
struct FramingFields {
  var minorVersion: UInt8 = 1
  private(set) var contentLength: Int?
  private(set) var isChunked = false
  private(set) var expectsContinue = false
  private var hosts = 0
  private var codings = 0
  private var closes = false
  private var asksKeepAlive = false

  var keepsAlive: Bool { !closes && (minorVersion == 1 || asksKeepAlive) }

  mutating func note(_ name: Span<UInt8>, _ value: Span<UInt8>) throws(Refusal) {
    // The length decides first: of the usual fields only a few get as far as a comparison.
    switch name.count {
    case 4 where equals(name, "host"): try noteHost(value)
    case 6 where equals(name, "expect"): try noteExpectation(value)
    case 10 where equals(name, "connection"): noteConnection(value)
    case 14 where equals(name, "content-length"): try noteLength(value)
    case 17 where equals(name, "transfer-encoding"): try noteCoding(value)
    default: break
    }
  }

  /// The rules that need the whole head.
  func check(authority: String?, _ fields: HTTPFields) throws(Refusal) {
    guard hosts == 1 || (hosts == 0 && minorVersion == 0) else { throw .malformedHost }
    // An absolute target must name the same server as Host, so that no two readers can see different ones.
    if let authority {
      guard let host = fields["Host"], FieldSyntax.equalIgnoringCase(host, authority) else { throw .malformedHost }
    }
    guard codings > 0 else { return }
    guard minorVersion == 1, codings == 1 else { throw .malformedFraming }
    guard isChunked else { throw .codingNotImplemented }
    guard contentLength == nil else { throw .malformedFraming }
  }

  private mutating func noteHost(_ value: Span<UInt8>) throws(Refusal) {
    hosts += 1
    guard hosts == 1 else { throw .malformedHost }
    // Characters that end a host, so that the field cannot carry a path, a user or a list.
    for index in value.indices {
      switch value[index] {
      case 0x21, 0x24...0x2e, 0x30...0x3b, 0x3d, 0x41...0x5b, 0x5d, 0x5f, 0x61...0x7a, 0x7e: continue
      default: throw .malformedHost
      }
    }
  }

  private mutating func noteExpectation(_ value: Span<UInt8>) throws(Refusal) {
    guard equals(value, "100-continue") else { throw .expectationFailed }
    // RFC 9110 section 10.1.1: an expectation in an HTTP/1.0 request is ignored.
    expectsContinue = minorVersion == 1
  }

  private mutating func noteConnection(_ value: Span<UInt8>) {
    var start = 0
    while start <= value.count {
      var end = start
      while end < value.count, value[end] != 0x2c { end += 1 }
      let option = value.extracting(trimmed(start..<end, of: value))
      if equals(option, "close") { closes = true }
      if equals(option, "keep-alive") { asksKeepAlive = true }
      start = end + 1
    }
  }

  private mutating func noteLength(_ value: Span<UInt8>) throws(Refusal) {
    // 15 digits are a petabyte: far above every limit and far below overflow.
    guard contentLength == nil, (1...15).contains(value.count) else { throw .malformedFraming }
    var length = 0
    for index in value.indices {
      let digit = value[index] &- 0x30
      guard digit < 10 else { throw .malformedFraming }
      length = length * 10 + Int(digit)
    }
    contentLength = length
  }

  private mutating func noteCoding(_ value: Span<UInt8>) throws(Refusal) {
    codings += 1
    isChunked = equals(value, "chunked")
  }

  /// The range without the blanks at its ends.
  private func trimmed(_ range: Range<Int>, of value: Span<UInt8>) -> Range<Int> {
    var (start, end) = (range.lowerBound, range.upperBound)
    while start < end, FieldSyntax.isBlank(value[start]) { start += 1 }
    while end > start, FieldSyntax.isBlank(value[end - 1]) { end -= 1 }
    return start..<end
  }

  /// - Parameter expected: in lower case.
  private func equals(_ bytes: Span<UInt8>, _ expected: StaticString) -> Bool {
    guard bytes.count == expected.utf8CodeUnitCount else { return false }
    for index in bytes.indices where FieldSyntax.lowercased(bytes[index]) != expected.utf8Start[index] { return false }
    return true
  }
}

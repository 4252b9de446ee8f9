internal import Glibc

/// Builds the bytes of one line.
struct LogLine {
  private var bytes: [UInt8] = []

  init(level: LogLevel, event: StaticString) {
    bytes.reserveCapacity(256)
    bytes.append(contentsOf: #"{"time":""#.utf8)
    appendTime()
    bytes.append(contentsOf: #"","level":""#.utf8)
    bytes.append(contentsOf: level.word.utf8)
    bytes.append(contentsOf: #"","event":""#.utf8)
    event.withUTF8Buffer { bytes.append(contentsOf: $0) }
    bytes.append(UInt8(ascii: "\""))
  }

  mutating func append(_ name: String, _ value: LogValue) {
    bytes.append(UInt8(ascii: ","))
    appendText(name)
    bytes.append(UInt8(ascii: ":"))
    switch value {
    case .text(let text): appendText(text)
    case .integer(let integer): bytes.append(contentsOf: String(integer).utf8)
    case .number(let number): bytes.append(contentsOf: (number.isFinite ? String(number) : "null").utf8)
    case .truth(let truth): bytes.append(contentsOf: (truth ? "true" : "false").utf8)
    }
  }

  consuming func finish() -> [UInt8] {
    bytes.append(contentsOf: "}\n".utf8)
    return bytes
  }

  private mutating func appendText(_ text: String) {
    bytes.append(UInt8(ascii: "\""))
    var left = LogValue.maximumText
    for scalar in text.unicodeScalars {
      let size = UTF8.width(scalar)
      guard left >= size else {
        bytes.append(contentsOf: "…".utf8)
        break
      }
      left -= size
      switch scalar {
      case "\"": bytes.append(contentsOf: #"\""#.utf8)
      case "\\": bytes.append(contentsOf: #"\\"#.utf8)
      case "\n": bytes.append(contentsOf: #"\n"#.utf8)
      case _ where scalar.value < 0x20 || scalar.value == 0x7f:
        let digits = String(scalar.value, radix: 16)
        bytes.append(contentsOf: (#"\u"# + String(repeating: "0", count: 4 - digits.utf8.count) + digits).utf8)
      default: bytes.append(contentsOf: String(scalar).utf8)
      }
    }
    bytes.append(UInt8(ascii: "\""))
  }

  /// UTC with milliseconds.
  private mutating func appendTime() {
    var now = timespec()
    clock_gettime(CLOCK_REALTIME, &now)
    var parts = tm()
    var seconds = now.tv_sec
    gmtime_r(&seconds, &parts)
    appendNumber(Int(parts.tm_year) + 1900, digits: 4, then: "-")
    appendNumber(Int(parts.tm_mon) + 1, digits: 2, then: "-")
    appendNumber(Int(parts.tm_mday), digits: 2, then: "T")
    appendNumber(Int(parts.tm_hour), digits: 2, then: ":")
    appendNumber(Int(parts.tm_min), digits: 2, then: ":")
    appendNumber(Int(parts.tm_sec), digits: 2, then: ".")
    appendNumber(now.tv_nsec / 1_000_000, digits: 3, then: "Z")
  }

  private mutating func appendNumber(_ number: Int, digits: Int, then separator: Unicode.Scalar) {
    let text = String(number)
    bytes.append(contentsOf: repeatElement(UInt8(ascii: "0"), count: max(0, digits - text.utf8.count)))
    bytes.append(contentsOf: text.utf8)
    bytes.append(UInt8(ascii: separator))
  }
}

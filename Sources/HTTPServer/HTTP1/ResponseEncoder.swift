import Glibc
import HTTP

/// Writes the heads of HTTP/1 answers, and the `Date` and `Server` fields, which change once a second at most.
///
/// Owned by a `ConnectionGroup`, on its loop's thread.
struct ResponseEncoder {
  /// What the connection does after the answer, as the head says it.
  enum Persistence {
    /// The default of HTTP/1.1 needs no word.
    case keepAlive
    case keepAliveHTTP10
    case close
  }

  private let serverLine: [UInt8]
  private var dateSecond = -1
  private(set) var date = ""
  /// `Date` and `Server`, ready to be copied.
  private var stampLines: [UInt8] = []

  init(serverName: String) {
    serverLine = Array("Server: \(serverName)\r\n".utf8)
  }

  mutating func appendHead(of response: HTTPResponse, _ persistence: Persistence, to output: inout [UInt8]) {
    refreshDate()
    Self.append("HTTP/1.1 ", to: &output)
    Self.append(Int(response.status.code), to: &output)
    output.append(0x20)
    output.append(contentsOf: response.status.reason.utf8)
    Self.append("\r\n", to: &output)
    output.append(contentsOf: stampLines)
    Self.append(response.fields, to: &output)
    if response.status.allowsBody {
      Self.append("Content-Length: ", to: &output)
      Self.append(response.body.count, to: &output)
      Self.append("\r\n", to: &output)
    }
    switch persistence {
    case .keepAlive: break
    case .keepAliveHTTP10: Self.append("Connection: keep-alive\r\n", to: &output)
    case .close: Self.append("Connection: close\r\n", to: &output)
    }
    Self.append("\r\n", to: &output)
  }

  mutating func refreshDate() {
    let second = time(nil)
    guard second != dateSecond else { return }
    dateSecond = second
    date = HTTPDate.text(epochSeconds: second)
    stampLines = Array("Date: \(date)\r\n".utf8) + serverLine
  }

  /// Whether the server alone writes this field: it frames the answer or belongs to the connection.
  static func isServerOwned(_ line: HTTPFields.Line, _ fields: HTTPFields) -> Bool {
    switch line.nameLength {
    case 4: fields.matches(line, "date")
    case 6: fields.matches(line, "server")
    case 7: fields.matches(line, "upgrade")
    case 10: fields.matches(line, "connection") || fields.matches(line, "keep-alive")
    case 14: fields.matches(line, "content-length")
    case 17: fields.matches(line, "transfer-encoding")
    default: false
    }
  }

  private static func append(_ fields: HTTPFields, to output: inout [UInt8]) {
    for line in fields.lines where !isServerOwned(line, fields) {
      output.append(contentsOf: fields.text[line.name])
      append(": ", to: &output)
      output.append(contentsOf: fields.text[line.value])
      append("\r\n", to: &output)
    }
  }

  private static func append(_ text: StaticString, to output: inout [UInt8]) {
    output.append(contentsOf: UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
  }

  private static func append(_ number: Int, to output: inout [UInt8]) {
    output.append(contentsOf: String(number).utf8)
  }
}

/// Bytes that somebody once used to make an HTTP server misread a request, and the only right answer to them.
///
/// Used three times: against the reader alone, cut at every byte, against a running server over a socket, and as the
/// seeds of the fuzzer, which is why this file imports nothing.
struct Probe: Sendable {
  let name: String
  let bytes: [UInt8]
  /// Status codes of the answers, in order.
  let statuses: [Int]
  let staysOpen: Bool

  init(_ name: String, _ text: String, _ statuses: [Int], staysOpen: Bool) {
    self.name = name
    bytes = Array(text.utf8)
    self.statuses = statuses
    self.staysOpen = staysOpen
  }

  /// A request that must never be executed where it stands inside of another one's body.
  static let hidden = "GET /hidden HTTP/1.1\r\nHost: a\r\n\r\n"
  static let json = "{\"a\":1}"

  static func post(_ fields: String, _ body: String = json) -> String {
    "POST /push HTTP/1.1\r\nHost: a\r\n\(fields)\r\n\(body)"
  }

  static func get(_ fields: String = "", target: String = "/healthz") -> String {
    "GET \(target) HTTP/1.1\r\nHost: a\r\n\(fields)\r\n"
  }
}

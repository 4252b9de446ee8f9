extension Probe {
  /// Unusual, but right: each must be answered and the next request too, unless it asks to close.
  static let accepted: [Probe] = [
    Probe("chunked", chunked("7\r\n\(json)\r\n0\r\n\r\n") + get(), [202, 200], staysOpen: true),
    Probe(
      "chunked in pieces", chunked("3\r\n{\"a\r\n004\r\n\":1}\r\n00\r\n\r\n") + get(), [202, 200], staysOpen: true),
    Probe("chunked, empty", chunked("0\r\n\r\n") + get(), [202, 200], staysOpen: true),
    Probe("chunked in capitals", post("TRANSFER-ENCODING:Chunked \r\n", "0\r\n\r\n"), [202], staysOpen: true),
    Probe(
      "chunk size in hexadecimal", chunked("A\r\n0123456789\r\na\r\n0123456789\r\n0\r\n\r\n"), [202], staysOpen: true),
    Probe("no body", post("", ""), [202], staysOpen: true),
    Probe("CL 0", post("Content-Length: 0\r\n", "") + get(), [202, 200], staysOpen: true),
    Probe("CL with leading zeros", post("Content-Length: 0007\r\n") + get(), [202, 200], staysOpen: true),
    Probe(
      "GET with a body", "GET /healthz HTTP/1.1\r\nHost: a\r\nContent-Length: 7\r\n\r\n\(json)", [200], staysOpen: true),
    Probe(
      "hidden request inside of a body", post("Content-Length: \(hidden.utf8.count)\r\n", hidden), [202],
      staysOpen: true),
    Probe("one empty line in front", "\r\n" + get() + "\r\n" + get(), [200, 200], staysOpen: true),
    Probe(
      "blanks around values", "GET /healthz HTTP/1.1\r\nHost: \t a \t \r\nX-A:\r\nX-B: \r\n\r\n", [200], staysOpen: true
    ),
    Probe("opaque bytes in a value", get("X-A: \u{e9}\u{1f600}\r\n"), [200], staysOpen: true),
    Probe("Host with a port", "GET /healthz HTTP/1.1\r\nHost: [::1]:8080\r\n\r\n", [200], staysOpen: true),
    Probe("absolute target", "GET http://A:80/healthz HTTP/1.1\r\nHost: a:80\r\n\r\n", [200], staysOpen: true),
    Probe("OPTIONS *", "OPTIONS * HTTP/1.1\r\nHost: a\r\n\r\n", [404], staysOpen: true),
    Probe("Connection: close", get("Connection: close\r\n") + get(), [200], staysOpen: false),
    Probe("close in a list", get("Connection: x, Close\r\n") + get(), [200], staysOpen: false),
    Probe("HTTP/1.0", "GET /healthz HTTP/1.0\r\n\r\n", [200], staysOpen: false),
    Probe("HTTP/1.0 keep-alive", "GET /healthz HTTP/1.0\r\nConnection: keep-alive\r\n\r\n", [200], staysOpen: true),
    Probe("HTTP/1.0 with CL", "POST /push HTTP/1.0\r\nContent-Length: 7\r\n\r\n\(json)", [202], staysOpen: false),
    Probe("Upgrade is not taken", get("Connection: upgrade\r\nUpgrade: h2c\r\n"), [200], staysOpen: true),
    Probe(
      "Expect with the body at once", post("Content-Length: 7\r\nExpect: 100-continue\r\n"), [202], staysOpen: true),
    Probe(
      "Expect in HTTP/1.0 is ignored",
      "POST /push HTTP/1.0\r\nExpect: 100-continue\r\nContent-Length: 7\r\n\r\n\(json)",
      [202], staysOpen: false),
  ]

  private static func chunked(_ body: String) -> String { post("Transfer-Encoding: chunked\r\n", body) }
}

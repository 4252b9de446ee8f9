extension Probe {
  /// The rows of the comparison of HTTP servers that made us write our own reader; names as there. The path `/healthz`
  /// answers 200 to GET, `/push` answers 202 to POST, any other 404.
  static let table: [Probe] = {
    let length = json.utf8.count
    let hiddenLength = hidden.utf8.count
    return [
      Probe("pipelined 2xGET", get() + get(), [200, 200], staysOpen: true),
      Probe("pipelined POST,GET", post("Content-Length: \(length)\r\n") + get(), [202, 200], staysOpen: true),
      Probe(
        "dup CL equal", post("Content-Length: \(length)\r\nContent-Length: \(length)\r\n"), [400], staysOpen: false),
      Probe(
        "dup CL differ", post("Content-Length: 5\r\nContent-Length: \(hiddenLength)\r\n", hidden), [400],
        staysOpen: false),
      Probe(
        "CL + TE chunked", post("Content-Length: 5\r\nTransfer-Encoding: chunked\r\n", "0\r\n\r\n" + hidden), [400],
        staysOpen: false),
      Probe(
        "TE gzip, chunked", post("Transfer-Encoding: gzip, chunked\r\n", "0\r\n\r\n" + hidden), [501], staysOpen: false),
      Probe(
        "TE xchunked + CL", post("Transfer-Encoding: xchunked\r\nContent-Length: \(hiddenLength)\r\n", hidden), [501],
        staysOpen: false),
      Probe("CL +n", post("Content-Length: +\(length)\r\n"), [400], staysOpen: false),
      Probe("CL negative", post("Content-Length: -\(length)\r\n"), [400], staysOpen: false),
      Probe("space before colon", post("Content-Length : \(hiddenLength)\r\n", hidden), [400], staysOpen: false),
      Probe("bare LF lines", "GET /healthz HTTP/1.1\nHost: a\n\n", [400], staysOpen: false),
      Probe("obs-fold header", get("X-A: b\r\n c\r\n"), [400], staysOpen: false),
      Probe("ctl byte in header name", get("X\u{1}A: b\r\n"), [400], staysOpen: false),
      Probe("NUL in header value", get("X-A: b\0c\r\n"), [400], staysOpen: false),
      Probe("no Host (1.1)", "GET /healthz HTTP/1.1\r\n\r\n", [400], staysOpen: false),
      Probe("two Host", get("Host: b\r\n"), [400], staysOpen: false),
      Probe(
        "chunk size 0x prefix", post("Transfer-Encoding: chunked\r\n", "0x7\r\n\(json)\r\n0\r\n\r\n"), [400],
        staysOpen: false),
      Probe(
        "chunk ext bare LF", post("Transfer-Encoding: chunked\r\n", "7;x\n\(json)\r\n0\r\n\r\n"), [400],
        staysOpen: false),
      Probe("header 40 KiB", get("X-A: \(String(repeating: "b", count: 40_960))\r\n"), [431], staysOpen: false),
      Probe("5000 headers", get(String(repeating: "X-A: b\r\n", count: 5_000)), [431], staysOpen: false),
      Probe(
        "Expect 100-continue", post("Content-Length: \(length)\r\nExpect: 100-continue\r\n", ""), [100],
        staysOpen: true),
      Probe("HTTP/2 preface", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", [501], staysOpen: false),
      Probe("garbage", "\u{16}\u{3}\u{1}\u{2}\0\u{1}garbage\r\n\r\n", [400], staysOpen: false),
      Probe("lower-case method", "get /healthz HTTP/1.1\r\nHost: a\r\n\r\n", [501], staysOpen: false),
      Probe("HEAD", "HEAD /nothing HTTP/1.1\r\nHost: a\r\n\r\n", [404], staysOpen: true),
    ]
  }()
}

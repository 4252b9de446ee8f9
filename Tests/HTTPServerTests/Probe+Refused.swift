extension Probe {
  /// Further bytes that must be refused and followed by a close.
  static let refused: [Probe] = framing + chunks + heads + targets

  private static func refused(_ name: String, _ text: String, _ status: Int = 400) -> Probe {
    Probe(name, text, [status], staysOpen: false)
  }

  private static func chunked(_ name: String, _ body: String, _ status: Int = 400) -> Probe {
    refused(name, post("Transfer-Encoding: chunked\r\n", body + hidden), status)
  }

  private static let framing = [
    refused("TE chunked + CL", post("Transfer-Encoding: chunked\r\nContent-Length: 5\r\n", "0\r\n\r\n" + hidden)),
    refused("CL + TE xchunked", post("Content-Length: 5\r\nTransfer-Encoding: xchunked\r\n", hidden), 501),
    refused("TE twice", post("Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n", "0\r\n\r\n" + hidden)),
    refused("TE chunked, chunked", post("Transfer-Encoding: chunked, chunked\r\n", "0\r\n\r\n"), 501),
    refused("TE chunked, identity", post("Transfer-Encoding: chunked, identity\r\n", "0\r\n\r\n"), 501),
    refused("TE with vertical tab", post("Transfer-Encoding: \u{b}chunked\r\n", "0\r\n\r\n")),
    refused("TE empty", post("Transfer-Encoding:\r\n", hidden), 501),
    refused("TE in HTTP/1.0", "POST /push HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"),
    refused("CL list", post("Content-Length: 7, 7\r\n")),
    refused("CL empty", post("Content-Length:\r\n")),
    refused("CL hexadecimal", post("Content-Length: 0x7\r\n")),
    refused("CL with inner blank", post("Content-Length: 1 7\r\n")),
    refused("CL with inner comma", post("Content-Length: 7,\r\n")),
    refused("CL overflowing", post("Content-Length: 99999999999999999999999\r\n")),
    refused("CL overflowing 64 bits to 7", post("Content-Length: 18446744073709551623\r\n")),
    refused("CL above the limit", post("Content-Length: 999999999999999\r\n"), 413),
    refused("unknown expectation", post("Content-Length: 7\r\nExpect: 200-ok\r\n"), 417),
  ]

  private static let chunks = [
    chunked("chunk size empty", "\r\n"),
    chunked("chunk size negative", "-1\r\n"),
    chunked("chunk size with plus", "+7\r\n\(json)\r\n0\r\n\r\n"),
    chunked("chunk size with blank", "7 \r\n\(json)\r\n0\r\n\r\n"),
    chunked("chunk extension", "7;a=b\r\n\(json)\r\n0\r\n\r\n"),
    chunked("chunk size with bare LF", "7\n\(json)\r\n0\r\n\r\n"),
    chunked("chunk size with bare CR", "7\r\(json)\r\n0\r\n\r\n"),
    chunked("chunk longer than said", "6\r\n\(json)\r\n0\r\n\r\n"),
    chunked("chunk shorter than said", "8\r\n\(json)\r\n0\r\n\r\n"),
    chunked("chunk size above the limit", "fffff\r\n", 413),
    chunked("chunk size of nine digits", "000000007\r\n\(json)\r\n0\r\n\r\n"),
    chunked("chunk size overflowing", "ffffffffffffffff\r\n", 413),
    chunked("trailer", "7\r\n\(json)\r\n0\r\nX-A: b\r\n\r\n"),
    chunked("last chunk with bare LF", "7\r\n\(json)\r\n0\r\n\n"),
  ]

  private static let heads = [
    refused("CR in value", get("X-A: b\rc\r\n")),
    refused("line ended by CR CR LF", get("X-A: b\r\r\n")),
    refused("DEL in value", get("X-A: b\u{7f}\r\n")),
    refused("no colon", get("X-A\r\n")),
    refused("empty name", get(": b\r\n")),
    refused("blank in front of the first field", "GET / HTTP/1.1\r\n Host: a\r\n\r\n"),
    refused("name not ASCII", get("X-\u{e9}: b\r\n")),
    refused("head ended by CR X", "GET / HTTP/1.1\r\nHost: a\r\n\rX"),
    refused("Host with a path", "GET / HTTP/1.1\r\nHost: a/b\r\n\r\n"),
    refused("Host with a list", "GET / HTTP/1.1\r\nHost: a, b\r\n\r\n"),
    refused("Host with a user", "GET / HTTP/1.1\r\nHost: u@a\r\n\r\n"),
    refused("two Host in HTTP/1.0", "GET / HTTP/1.0\r\nHost: a\r\nHost: a\r\n\r\n"),
    refused("two empty lines in front", "\r\n\r\n" + get()),
    refused("LF in front", "\n" + get()),
    refused("method of 17 letters", "ABCDEFGHIJKLMNOPQ / HTTP/1.1\r\nHost: a\r\n\r\n", 501),
    refused("CONNECT", "CONNECT a:443 HTTP/1.1\r\nHost: a\r\n\r\n", 501),
    refused("TRACE", "TRACE / HTTP/1.1\r\nHost: a\r\n\r\n", 501),
    refused("method alone", "GET\r\n\r\n"),
    refused("tab behind method", "GET\t/ HTTP/1.1\r\nHost: a\r\n\r\n"),
  ]

  private static let targets = [
    refused("HTTP/0.9", "GET /healthz\r\n"),
    refused("two blanks in the request line", "GET  / HTTP/1.1\r\nHost: a\r\n\r\n"),
    refused("blank behind the version", "GET / HTTP/1.1 \r\nHost: a\r\n\r\n"),
    refused("blank in the target", "GET /a b HTTP/1.1\r\nHost: a\r\n\r\n"),
    refused("HTTP/2.0", "GET / HTTP/2.0\r\nHost: a\r\n\r\n", 505),
    refused("HTTP/1.2", "GET / HTTP/1.2\r\nHost: a\r\n\r\n", 505),
    refused("HTTP/11", "GET / HTTP/11.\r\nHost: a\r\n\r\n"),
    refused("http/1.1", "GET / http/1.1\r\nHost: a\r\n\r\n"),
    refused("target of another server", "GET http://b/ HTTP/1.1\r\nHost: a\r\n\r\n"),
    refused("target without a slash", get(target: "healthz")),
    refused("asterisk with GET", get(target: "*")),
    refused("target not ASCII", get(target: "/\u{e9}")),
    refused("target with a broken escape", get(target: "/a%zz")),
    refused("target with an encoded NUL", get(target: "/a%00")),
    refused("target with dot segments", get(target: "/a/../b")),
    refused("target of 9 KiB", get(target: "/" + String(repeating: "a", count: 9_216)), 414),
  ]
}

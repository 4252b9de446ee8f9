/// What a request says before its body: enough to route it and to decide how large a body it may have.
package struct HTTPRequestHead: Sendable {
  package let method: HTTPMethod
  package let target: RequestTarget
  package let fields: HTTPFields

  package init(method: HTTPMethod, target: RequestTarget, fields: HTTPFields) {
    self.method = method
    self.target = target
    self.fields = fields
  }
}

/// One whole request, as a handler gets it: read within its limits, immutable, free of the connection it came on.
package struct HTTPRequest: Sendable {
  package let head: HTTPRequestHead
  package let body: [UInt8]
  /// The peer's IP address without port; of the proxy when there is one in front.
  package let remoteAddress: String
  /// Whether the bytes came over this server's own TLS.
  package let isSecure: Bool
  /// When the last byte had been read.
  package let receivedAt: ContinuousClock.Instant

  package init(
    head: HTTPRequestHead, body: [UInt8] = [], remoteAddress: String = "127.0.0.1", isSecure: Bool = false,
    receivedAt: ContinuousClock.Instant = .now
  ) {
    self.head = head
    self.body = body
    self.remoteAddress = remoteAddress
    self.isSecure = isSecure
    self.receivedAt = receivedAt
  }

  package var method: HTTPMethod { head.method }
  /// The target as the client wrote it.
  package var target: String { head.target.raw }
  package var path: [String] { head.target.path }
  package var query: QueryItems { head.target.query }
  package var fields: HTTPFields { head.fields }
}

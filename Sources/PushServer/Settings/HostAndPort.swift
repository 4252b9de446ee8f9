/// A host, by name or number, and a port.
package struct HostAndPort: Sendable, Hashable, CustomStringConvertible {
  package let host: String
  package let port: UInt16

  package init(host: String, port: UInt16) {
    self.host = host
    self.port = port
  }

  /// `127.0.0.1:8080`, `[::1]:8080`.
  package init?(_ text: String) {
    guard let colon = text.lastIndex(of: ":"), let port = UInt16(text[text.index(after: colon)...]) else { return nil }
    var host = text[..<colon]
    if host.hasPrefix("["), host.hasSuffix("]") { host = host.dropFirst().dropLast() }
    guard !host.isEmpty else { return nil }
    self.init(host: String(host), port: port)
  }

  /// `https://name` or `https://name:port`, nothing behind it.
  package init?(url: String) {
    let scheme = "https://"
    guard url.hasPrefix(scheme) else { return nil }
    var rest = url.dropFirst(scheme.count)
    if rest.hasSuffix("/") { rest = rest.dropLast() }
    guard !rest.isEmpty, !rest.contains("/"), !rest.contains("@"), !rest.contains("?") else { return nil }
    if rest.contains(":") {
      self.init(String(rest))
    } else {
      self.init(host: String(rest), port: 443)
    }
  }

  package var description: String { host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)" }
}

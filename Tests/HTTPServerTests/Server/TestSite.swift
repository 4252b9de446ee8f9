import HTTP
import HTTPServer
import TestSupport
import Testing
import Transport

/// A running server with a handler that knows a few paths, on a loop and a port of its own.
struct TestSite: Sendable {
  let server: Server
  let gate: Gate

  /// Starts a site for `body` and takes it down afterwards.
  static func run(
    loops count: Int = 1, identity: TLSIdentity? = nil,
    configure: (inout ServerConfiguration) -> Void = { _ in },
    _ body: (TestSite) async throws -> Void
  ) async throws {
    let loops = (0..<count).map { EventLoop(name: "site-\($0)") }
    var configuration = ServerConfiguration()
    configure(&configuration)
    let gate = Gate()
    let server = try await Server.start(
      on: [.init(.loopback(port: 0), identity: identity)], loops: loops, configuration: configuration
    ) { await answer($0, gate) }
    let result = await Result { try await body(TestSite(server: server, gate: gate)) }
    // Whatever a test left behind must not outlive it.
    await gate.open()
    _ = await server.drain(within: .zero)
    for loop in loops { await loop.shutDown() }
    try result.get()
  }

  var address: SocketAddress { server.addresses[0] }

  func connect() async throws -> HTTPTestClient { try await .connect(to: address) }

  static func answer(_ request: HTTPRequest, _ gate: Gate) async -> HTTPResponse {
    switch (request.method, request.path) {
    case (.get, ["healthz"]), (.head, ["healthz"]):
      return text("ok")
    case (.post, ["push"]):
      return text("queued", .accepted)
    case (.post, ["echo"]), (.post, ["import"]):
      return HTTPResponse(status: .ok, contentType: "application/octet-stream", body: request.body)
    case (.get, let path) where path.count == 2 && path[0] == "number":
      return text(path[1])
    case (.get, let path) where path.count == 2 && path[0] == "held":
      await gate.pass()
      return text(path[1])
    case (.get, ["large"]):
      return HTTPResponse(status: .ok, body: [UInt8](repeating: 0x61, count: 8 << 20))
    case (.delete, ["thing"]):
      return HTTPResponse(status: .noContent, body: Array("not sent".utf8))
    case (.get, ["whoami"]):
      return text("\(request.remoteAddress) \(request.isSecure ? "tls" : "clear")")
    case (.get, ["liar"]):
      let fields: HTTPFields = [
        "Content-Length": "9999", "Transfer-Encoding": "chunked", "Connection": "upgrade", "Date": "today",
        "Server": "x/1.2.3", "Keep-Alive": "timeout=9", "Upgrade": "h2c", "X-Kept": "a",
      ]
      return HTTPResponse(status: .ok, fields: fields, body: Array("true".utf8))
    case (_, ["hidden"]):
      Issue.record("a request hidden inside of another one was executed")
      return text("hidden")
    default:
      return text("nothing here", .notFound)
    }
  }

  private static func text(_ text: String, _ status: HTTPStatus = .ok) -> HTTPResponse {
    HTTPResponse(status: status, contentType: "text/plain", body: Array(text.utf8))
  }
}

extension Result where Failure == any Error {
  fileprivate init(_ body: () async throws -> Success) async {
    do {
      self = .success(try await body())
    } catch {
      self = .failure(error)
    }
  }
}

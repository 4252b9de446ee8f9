internal import Crypto
package import HTTP
internal import JSON

/// The control endpoint's routes: what the process API can do, as JSON over HTTP/1.1 on loopback, for scripts, other
/// languages and `make tour`.
///
/// A value over the simulator it steers; each call is one request. Whether it listens at all is the configuration's choice.
package struct ControlAPI: Sendable {
  let simulator: SimulatedAPNs

  package init(simulator: SimulatedAPNs) { self.simulator = simulator }

  package func respond(to request: HTTPRequest) async -> HTTPResponse {
    do throws(SimulatorError) {
      return try await route(request)
    } catch {
      return Self.json(error.code == .notFound ? .notFound : .badRequest) { $0.member("error", error.description) }
    }
  }

  private func route(_ request: HTTPRequest) async throws(SimulatorError) -> HTTPResponse {
    switch (request.method, request.path.first, request.path.count) {
    case (.get, "requests", 1): return try requests(request)
    case (.delete, "requests", 1): return try each(request) { $0.reset() }
    case (.get, "stats", 1): return statistics()
    case (.put, "faults", 1):
      let plan = try FaultPlan(json: Self.body(of: request))
      return try each(request) { $0.setFaults(plan) }
    case (.post, "goaway", 1): return try goAway(request)
    case (.post, "settings", 1): return try settings(request)
    case (.post, "credentials", 1): return try credentials(request)
    case (.post, "listening", 1): return try await listening(request)
    case (.post, "tls", 1): return try await tls(request)
    case (.get, "devices", 2): return try devices(request)
    case (.put, "devices", 2): return try setDevice(request)
    case (.get, "ca.pem", 1):
      return HTTPResponse(status: .ok, contentType: "application/x-pem-file", body: simulator.caPEM)
    default: throw SimulatorError(.notFound, "there is no \(request.method.rawValue) \(request.target) here")
    }
  }
}

// MARK: - Reading

extension ControlAPI {
  /// `?environment=sandbox&after=0&limit=100`; `next` is the `after` of the following page.
  private func requests(_ request: HTTPRequest) throws(SimulatorError) -> HTTPResponse {
    let hosts = try hosts(request)
    guard hosts.count == 1, let host = hosts.first else {
      throw SimulatorError(.badRequest, "environment is missing: each has a numbering of its own")
    }
    let after = UInt64(request.query["after"] ?? "0") ?? 0
    let limit = min(max(Int(request.query["limit"] ?? "100") ?? 100, 1), 1000)
    let page = host.requests(after: after, limit: limit)
    return Self.json(.ok) { writer in
      writer.member("requests", page)
      writer.member("next", page.last?.number ?? after)
    }
  }

  private func statistics() -> HTTPResponse {
    Self.json(.ok) { writer in
      writer.member("sandbox", simulator.sandbox.statistics)
      writer.member("production", simulator.production.statistics)
    }
  }

  /// What the phones of both environments show for this token.
  private func devices(_ request: HTTPRequest) throws(SimulatorError) -> HTTPResponse {
    let shown = try hosts(request).flatMap { $0.delivered(to: request.path[1]) }
    return Self.json(.ok) { $0.member("pushes", shown) }
  }
}

// MARK: - Changing

extension ControlAPI {
  /// `{"bundle_id": "com.example.app", "state": "active" | "unregistered" | "expired"}`
  private func setDevice(_ request: HTTPRequest) throws(SimulatorError) -> HTTPResponse {
    enum Word: String, CaseIterable { case active, unregistered, expired }
    var fields = try JSONFields(Self.body(of: request), at: "device")
    guard let bundleID = try fields.string("bundle_id") else { throw fields.missing("bundle_id") }
    let state: Word = try fields.word("state") ?? .active
    let since = try fields.integer("since", in: 0...Int64.max) ?? simulator.clock.now()
    try fields.end()
    return try each(request) { host in
      switch state {
      case .active: host.setDevice(request.path[1], bundleID: bundleID)
      case .unregistered: host.setDevice(request.path[1], bundleID: bundleID, state: .unregistered(since: since))
      case .expired: host.setDevice(request.path[1], bundleID: bundleID, state: .expired(since: since))
      }
    }
  }

  /// A script of ``GoAwayScript``, or `{"scripts": [...]}` for several in a row; `connection` picks one connection.
  private func goAway(_ request: HTTPRequest) throws(SimulatorError) -> HTTPResponse {
    var fields = try JSONFields(Self.body(of: request), at: "goaway")
    let connection = try fields.integer("connection", in: 1...Int64.max).map { UInt64($0) }
    var scripts: [GoAwayScript] = []
    if let list = try fields.array("scripts") {
      for (index, json) in list.enumerated() {
        var script = try JSONFields(json, at: "goaway.scripts[\(index)]")
        scripts.append(try GoAwayScript(&script))
        try script.end()
      }
    } else {
      scripts = [try GoAwayScript(&fields)]
    }
    try fields.end()
    return try each(request) { $0.goAway(scripts, connection: connection) }
  }

  /// `{"max_concurrent_streams": 1}`: at once on every connection, and on those to come; `null` is Apple's way again.
  private func settings(_ request: HTTPRequest) throws(SimulatorError) -> HTTPResponse {
    var fields = try JSONFields(Self.body(of: request), at: "settings")
    let limit = try fields.integer("max_concurrent_streams", in: 0...0x7fff_ffff).map { UInt32($0) }
    try fields.end()
    return try each(request) { $0.setStreamLimit(limit) }
  }

  private func credentials(_ request: HTTPRequest) throws(SimulatorError) -> HTTPResponse {
    simulator.register(try SimulatedCredential(json: Self.body(of: request)))
    return HTTPResponse(status: .noContent)
  }

  /// `{"state": "open" | "refused"}`: with `refused` nothing listens on the port any longer.
  private func listening(_ request: HTTPRequest) async throws(SimulatorError) -> HTTPResponse {
    enum Word: String, CaseIterable { case open, refused }
    var fields = try JSONFields(Self.body(of: request), at: "listening")
    guard let state: Word = try fields.word("state") else { throw fields.missing("state") }
    try fields.end()
    for host in try hosts(request) {
      switch state {
      case .open: try await host.resumeListening()
      case .refused: await host.stopListening()
      }
    }
    return HTTPResponse(status: .noContent)
  }

  /// `{"fault": "none" | "expired_certificate" | ...}` for handshakes to come.
  private func tls(_ request: HTTPRequest) async throws(SimulatorError) -> HTTPResponse {
    var fields = try JSONFields(Self.body(of: request), at: "tls")
    guard let fault: TLSFault = try fields.word("fault") else { throw fields.missing("fault") }
    try fields.end()
    for host in try hosts(request) { try await host.setTLS(fault) }
    return HTTPResponse(status: .noContent)
  }
}

// MARK: - Parts

extension ControlAPI {
  /// The hosts that `?environment=` names; without it, both.
  private func hosts(_ request: HTTPRequest) throws(SimulatorError) -> [SimulatedHost] {
    guard let name = request.query["environment"] else { return [simulator.sandbox, simulator.production] }
    guard let environment = SimulatedEnvironment(rawValue: name) else {
      throw SimulatorError(.badRequest, "environment must be sandbox or production")
    }
    return [simulator[environment]]
  }

  private func each(
    _ request: HTTPRequest, _ body: (SimulatedHost) -> Void
  ) throws(SimulatorError) -> HTTPResponse {
    for host in try hosts(request) { body(host) }
    return HTTPResponse(status: .noContent)
  }

  private static func body(of request: HTTPRequest) throws(SimulatorError) -> JSONValue {
    do throws(JSONError) {
      return try JSONValue(parsing: request.body)
    } catch {
      throw SimulatorError(.badRequest, error.description)
    }
  }

  private static func json(_ status: HTTPStatus, _ members: (inout JSONWriter) -> Void) -> HTTPResponse {
    var writer = JSONWriter()
    writer.object(members)
    return HTTPResponse(status: status, contentType: "application/json", body: writer.bytes)
  }
}

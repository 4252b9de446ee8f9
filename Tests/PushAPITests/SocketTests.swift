import HTTP
import HTTPServer
import JSON
import PushCore
import TestSupport
import Testing
import Transport

@testable import PushAPI

/// The same handler behind the real server, over TCP.
@Suite struct SocketTests {
  private struct Site {
    let tenant: Tenant
    let address: SocketAddress

    static func run(_ body: (Site) async throws -> Void) async throws {
      let tenant = try await Tenant.make()
      let handler = tenant.api.handler
      var configuration = ServerConfiguration()
      configuration.bodyLimit = { handler.bodyLimit(for: $0) }
      configuration.errorBody = { handler.response(to: $0) }
      let loop = EventLoop(name: "api-test")
      let server = try await Server.start(
        on: [.init(.loopback(port: 0))], loops: [loop], configuration: configuration
      ) { await handler.respond(to: $0) }
      let result: Result<Void, any Error>
      do {
        result = .success(try await body(Site(tenant: tenant, address: server.addresses[0])))
      } catch {
        result = .failure(error)
      }
      _ = await server.drain(within: .zero)
      await loop.shutDown()
      try result.get()
    }

    func exchange(_ request: String) async throws -> HTTPTestAnswer {
      let client = try await HTTPTestClient.connect(to: address)
      defer { client.close() }
      try await client.send(request)
      return try #require(try await client.answer())
    }

    func post(_ path: String, _ body: String, _ fields: String) -> String {
      """
      POST /push/v1/\(path) HTTP/1.1\r
      Host: localhost\r
      Content-Type: application/json\r
      Content-Length: \(body.utf8.count)\r
      \(fields)\r
      \r
      \(body)
      """
    }
  }

  private func key(_ tenant: Tenant) -> String { "Authorization: Bearer \(tenant.appKeyText)" }

  @Test func theWholeJobOfAPhoneAndASender() async throws {
    try await Site.run { site in
      let tenant = site.tenant
      let registered = try await site.exchange(
        site.post(
          "installations", #"{"app_id":"\#(tenant.app)","device_id":"d","platform":"ios","token":"a1b2"}"#, "X-A: b"))
      #expect(registered.status == 201)
      let phone = try JSONValue(parsing: registered.body)
      let id = try #require(phone["id"]?.string)
      let token = try #require(phone["receipt_token"]?.string)
      let login = try await site.exchange(
        site.post(
          "installations/\(id)/login", #"{"user_id":"user_8123"}"#,
          "Authorization: Bearer \(token)\r\nX-Bolrach-App-ID: \(tenant.app)"))
      #expect(login.status == 200)
      let sent = try await site.exchange(
        site.post("messages", #"{"target":{"type":"user","id":"user_8123"},"title":"x"}"#, key(tenant)))
      #expect(sent.status == 202)
      #expect(sent.fields["RateLimit-Limit"] != nil)
      #expect(sent.fields["Cache-Control"] == "no-store")
    }
  }

  @Test func aHeadHasTheFieldsOfAGetAndNoBody() async throws {
    try await Site.run { site in
      let client = try await HTTPTestClient.connect(to: site.address)
      defer { client.close() }
      try await client.send("HEAD /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n")
      let head = try #require(try await client.answer(toHEAD: true))
      #expect(head.status == 200)
      #expect(head.fields["Content-Type"] == "application/json")
      try await client.send("GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n")
      #expect(try await client.answer()?.text == #"{"status":"ok"}"#)
    }
  }

  @Test func aLongListOfRecipientsPassesTheServersLimit() async throws {
    try await Site.run { site in
      let ids = (0..<Target.maximumRecipients).map { _ in "\"\(InstallationID.make())\"" }.joined(separator: ",")
      let body = #"{"target":{"type":"installations","ids":[\#(ids)]},"title":"x"}"#
      #expect(body.utf8.count > BodyLimit.ordinary)
      #expect(try await site.exchange(site.post("messages", body, key(site.tenant))).status == 202)
      let elsewhere = try await site.exchange(site.post("receipts", body, "X-A: b"))
      #expect(elsewhere.status == 413)
    }
  }

  @Test func whatTheServerRefusesItselfIsTheSameKindOfDocument() async throws {
    try await Site.run { site in
      let answer = try await site.exchange("GET /push/v1/../healthz HTTP/1.1\r\nHost: localhost\r\n\r\n")
      #expect(answer.status == 400)
      #expect(answer.fields["Content-Type"] == "application/problem+json")
      let document = try JSONValue(parsing: answer.body)
      #expect(document["code"]?.string == "malformed_target")
      #expect(document["errors"]?.array?.isEmpty == true)
      #expect(document["request_id"]?.string == answer.fields["X-Request-ID"])
    }
  }

  // Case 91: the process and its other connections are unharmed.
  @Test func badUnicodeOnOneConnectionHarmsNoOther() async throws {
    try await Site.run { site in
      let bystander = try await HTTPTestClient.connect(to: site.address)
      defer { bystander.close() }
      for body in [#"{"\ud800":1}"#, #"{"title":"\udc00"}"#, "{\"a\u{0}\":1}"] {
        let answer = try await site.exchange(site.post("messages", body, key(site.tenant)))
        #expect(answer.status == 400)
      }
      try await bystander.send("GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n")
      #expect(try await bystander.answer()?.status == 200)
    }
  }
}

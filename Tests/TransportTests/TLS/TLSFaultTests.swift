import Testing
@testable import Transport

/// Each fault of a server's certificate or protocol has a code of its own, and none of them lets a byte through.
@Suite(.timeLimit(.minutes(1)))
struct TLSFaultTests {
  struct Fault: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let expected: TransportError.Code
    var request = CertificateRequest()
    var host = "localhost"
    var trust = Trust.issuer
    var serverProtocols: [String] = ["h2"]
    var policy = TLSServerContext.ProtocolPolicy.optional
  }

  enum Trust: Sendable { case issuer, stranger, namesake }

  static let faults = [
    Fault(testDescription: "unknown authority", expected: .unknownAuthority, trust: .stranger),
    Fault(testDescription: "a namesake of the authority", expected: .unknownAuthority, trust: .namesake),
    Fault(
      testDescription: "expired", expected: .certificateExpired, request: CertificateRequest(validity: .expired)),
    Fault(
      testDescription: "not yet valid", expected: .certificateNotYetValid,
      request: CertificateRequest(validity: .future)),
    Fault(
      testDescription: "another name", expected: .certificateNameMismatch,
      request: CertificateRequest(names: ["example.com"])),
    Fault(
      testDescription: "another address", expected: .certificateNameMismatch,
      request: CertificateRequest(addresses: ["127.0.0.2"]), host: "127.0.0.1"),
    Fault(testDescription: "no ALPN", expected: .noProtocolNegotiated, serverProtocols: []),
    Fault(
      testDescription: "no common protocol", expected: .noProtocolNegotiated, serverProtocols: ["http/1.1"]),
    Fault(
      testDescription: "no common protocol, said with an alert", expected: .wrongProtocol,
      serverProtocols: ["http/1.1"], policy: .required),
    Fault(
      testDescription: "a protocol that was not offered", expected: .wrongProtocol, serverProtocols: ["http/1.1"],
      policy: .imposed),
  ]

  @Test(arguments: faults)
  func connectingFailsWithTheFaultsOwnCode(_ fault: Fault) async throws {
    let loop = EventLoop()
    let authority = try CertificateAuthority(name: "Issuer")
    let trusted =
      switch fault.trust {
      case .issuer: authority
      case .stranger: try CertificateAuthority(name: "Stranger")
      case .namesake: try CertificateAuthority(name: "Issuer")
      }
    let server = try TLSServerContext(
      identity: authority.issue(fault.request), protocols: fault.serverProtocols, policy: fault.policy)
    let listener = try await Listener.bind(
      to: .loopback(port: 0), loops: [loop], configuration: Listener.Configuration(tls: server)
    ) { RecordingHandler(Link.Events()).start($0) }
    let client = try TLSClientContext(trust: .only(pem: trusted.certificatePEM), protocols: ["h2"])
    let error = try await loop.open(
      Connector(loop: loop, tls: client), host: fault.host, to: listener.address.port, Link.Events())
    #expect(error?.code == fault.expected, "\(error?.description ?? "connected")")
    await loop.shutDown()
  }

  @Test func theSystemsRootsDoNotKnowALocalAuthority() async throws {
    let loop = EventLoop()
    let server = try TLSServerContext(identity: CertificateAuthority().issue())
    let listener = try await Listener.bind(
      to: .loopback(port: 0), loops: [loop], configuration: Listener.Configuration(tls: server)
    ) { RecordingHandler(Link.Events()).start($0) }
    let error = try await loop.open(
      Connector(loop: loop, tls: try TLSClientContext()), to: listener.address.port, Link.Events())
    #expect(error?.code == .unknownAuthority)
    await loop.shutDown()
  }

  @Test func anExtraAuthorityBesideTheSystemsIsTrusted() async throws {
    let loop = EventLoop()
    let authority = try CertificateAuthority()
    let server = try TLSServerContext(identity: authority.issue(), protocols: ["h2"], policy: .required)
    let listener = try await Listener.bind(
      to: .loopback(port: 0), loops: [loop], configuration: Listener.Configuration(tls: server)
    ) { RecordingHandler(Link.Events()).start($0) }
    let client = try TLSClientContext(
      trust: .systemRootsAnd(pem: authority.certificatePEM), protocols: ["h2", "http/1.1"])
    let events = Link.Events()
    #expect(
      try await loop.open(Connector(loop: loop, tls: client), host: "localhost", to: listener.address.port, events)
        == nil)
    guard case .opened(_, let chosen) = try await events.next() else { return }
    #expect(chosen == "h2")
    await loop.shutDown()
  }

  @Test func aClientWithoutALPNIsTurnedAwayWhereAProtocolIsRequired() async throws {
    let loop = EventLoop()
    let authority = try CertificateAuthority()
    let server = try TLSServerContext(identity: authority.issue(), protocols: ["h2"], policy: .required)
    let accepted = Link.Events()
    let listener = try await Listener.bind(
      to: .loopback(port: 0), loops: [loop], configuration: Listener.Configuration(tls: server)
    ) { RecordingHandler(accepted).start($0) }
    let client = try TLSClientContext(trust: .only(pem: authority.certificatePEM))
    let events = Link.Events()
    // In TLS 1.3 the client is done before the server has judged it, so it may see an open channel that ends.
    let error = try await loop.open(Connector(loop: loop, tls: client), to: listener.address.port, events)
    if error == nil { #expect(try await events.closing() != .cancelled) }
    await loop.shutDown()
  }

  @Test func aServerThatSpeaksInClearIsAHandshakeFailure() async throws {
    let link = try await Link(.clear, server: .echo)
    let error = try await link.loop.open(
      Connector(loop: link.loop, tls: try TLSClientContext()), to: link.listener.address.port, Link.Events())
    #expect(error?.code == .tlsFailed)
    await link.close()
  }
}

import Glibc
import Testing
@testable import Transport

@Suite(.timeLimit(.minutes(1)))
struct ListenerTests {
  @Test func aPortThatIsTakenIsAnErrorOfItsOwn() async throws {
    let loop = EventLoop()
    let listener = try await Listener.bind(to: .loopback(port: 0), loops: [loop]) { $0.close() }
    let error = await #expect(throws: TransportError.self) {
      try await Listener.bind(to: listener.address, loops: [loop]) { $0.close() }
    }
    #expect(error?.code == .bindFailed)
    await loop.shutDown()
  }

  @Test func connectionsAreSpreadOverTheLoopsInTurn() async throws {
    let loops = [EventLoop(), EventLoop()]
    let events = Link.Events()
    let homes = Mailbox<Int>()
    let listener = try await Listener.bind(to: .loopback(port: 0), loops: loops) { channel in
      homes.post(channel.loop === loops[0] ? 0 : 1)
      RecordingHandler(events).start(channel)
    }
    let connector = Connector(loop: loops[0], tls: nil)
    var counts = [0, 0]
    for _ in 0..<6 {
      #expect(try await loops[0].open(connector, to: listener.address.port, Link.Events()) == nil)
      counts[try await homes.next()] += 1
    }
    #expect(counts == [3, 3])
    for loop in loops { await loop.shutDown() }
  }

  @Test func whoStopsAcceptingRefusesNewcomersAndKeepsTheOthers() async throws {
    let link = try await Link(.clear, server: .echo)
    await link.listener.stopAccepting()
    let refusal = try await link.loop.open(
      Connector(loop: link.loop, tls: nil), to: link.listener.address.port, Link.Events())
    #expect(refusal?.code == .connectionRefused)
    await link.write([1, 2, 3])
    #expect(try await link.client.bytes(3) == [1, 2, 3])
    await link.listener.stopAccepting()
    await link.close()
  }

  @Test func surplusConnectionsWaitUntilOneCloses() async throws {
    let loop = EventLoop()
    let server = Link.Events()
    var configuration = Listener.Configuration()
    configuration.maximumConnections = 1
    let listener = try await Listener.bind(
      to: .loopback(port: 0), loops: [loop], configuration: configuration
    ) { RecordingHandler(server).start($0) }
    let (first, second) = (Link.Events(), Link.Events())
    let connector = Connector(loop: loop, tls: nil)
    #expect(try await loop.open(connector, to: listener.address.port, first) == nil)
    let served = try await server.channelID()
    #expect(try await loop.open(connector, to: listener.address.port, second) == nil)
    let id = try await first.channelID()
    loop.execute { loop.channel(id)?.close() }
    // The first one's end comes before the second one's beginning.
    #expect(try await server.next() == .inputEnded)
    #expect(try await server.closing() == nil)
    #expect(try await server.channelID() != served)
    await loop.shutDown()
  }

  @Test func aClientThatNeverShakesHandsIsPutOut() async throws {
    let loop = EventLoop()
    var configuration = Listener.Configuration(tls: try TLSServerContext(identity: CertificateAuthority().issue()))
    configuration.handshakeTimeout = .milliseconds(50)
    let listener = try await Listener.bind(
      to: .loopback(port: 0), loops: [loop], configuration: configuration
    ) { $0.close() }
    let events = Link.Events()
    #expect(try await loop.open(Connector(loop: loop, tls: nil), to: listener.address.port, events) == nil)
    _ = try await events.channelID()
    #expect(try await events.next() == .inputEnded)
    await loop.shutDown()
  }

  @Test func runningOutOfDescriptorsPausesAcceptingAndRecovers() async {
    await #expect(processExitsWith: .success) {
      let loop = EventLoop()
      let server = Link.Events()
      let listener = try await Listener.bind(to: .loopback(port: 0), loops: [loop]) {
        RecordingHandler(server).start($0)
      }
      // A client's descriptor made before the limit falls to what is in use.
      let client = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
      var limit = rlimit(rlim_cur: rlim_t(client) + 1, rlim_max: 0)
      var before = rlimit()
      getrlimit(__rlimit_resource_t(7), &before)
      limit.rlim_max = before.rlim_max
      setrlimit(__rlimit_resource_t(7), &limit)
      precondition(socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0) < 0, "descriptors are left")
      let status = listener.address.withSystemAddress { connect(client, $0, $1) }
      precondition(status == 0)
      // Not accepted while there is no descriptor for it, and the loop is not spinning on it: it uses next to no CPU.
      let start = clock()
      // The loop's timer: a sleeping task would need a descriptor.
      await withCheckedContinuation { continuation in
        loop.execute { _ = loop.schedule(after: .milliseconds(300)) { continuation.resume() } }
      }
      precondition(clock() - start < 100_000, "the loop spins")
      setrlimit(__rlimit_resource_t(7), &before)
      _ = try await server.channelID()
    }
  }
}

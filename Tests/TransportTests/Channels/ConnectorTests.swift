import Glibc
import Testing
@testable import Transport

@Suite(.timeLimit(.minutes(1)))
struct ConnectorTests {
  @Test func aPortWithoutListenerRefuses() async throws {
    let loop = EventLoop()
    let listener = try await Listener.bind(to: .loopback(port: 0), loops: [loop]) { $0.close() }
    await listener.stopAccepting()
    let error = try await loop.open(
      Connector(loop: loop, tls: nil), to: listener.address.port, Link.Events())
    #expect(error?.code == .connectionRefused)
    await loop.shutDown()
  }

  @Test func aHostThatDoesNotAnswerIsGivenUpAtTheDeadline() async throws {
    let loop = EventLoop()
    let silent = try SilentListener()
    let started = ContinuousClock.now
    let error = try await loop.open(
      Connector(loop: loop, tls: nil), to: silent.port, Link.Events(), within: .milliseconds(200))
    #expect(error?.code == .deadlineExceeded)
    #expect(ContinuousClock.now - started >= .milliseconds(200))
    await loop.shutDown()
  }

  @Test func aServerThatAcceptsAndNeverShakesHandsIsGivenUpAtTheDeadline() async throws {
    let loop = EventLoop()
    let server = Link.Events()
    let listener = try await Listener.bind(to: .loopback(port: 0), loops: [loop]) {
      RecordingHandler(server, .ignoresInput).start($0)
    }
    let error = try await loop.open(
      Connector(loop: loop, tls: try TLSClientContext()), to: listener.address.port, Link.Events(),
      within: .milliseconds(100))
    #expect(error?.code == .deadlineExceeded)
    await loop.shutDown()
  }

  @Test func namesAreLookedUp() async throws {
    let loop = EventLoop()
    let listener = try await Listener.bind(to: .loopback(port: 0), loops: [loop]) {
      RecordingHandler(Link.Events()).start($0)
    }
    let error = try await loop.open(
      Connector(loop: loop, tls: nil), host: "localhost", to: listener.address.port, Link.Events())
    #expect(error == nil)
    await loop.shutDown()
  }

  @Test func aNameThatDoesNotExistIsAnErrorOfItsOwn() async throws {
    let loop = EventLoop()
    // RFC 6761 reserves `.invalid` for names that never exist.
    let error = try await loop.open(
      Connector(loop: loop, tls: nil), host: "nobody.invalid", to: 443, Link.Events())
    #expect(error?.code == .nameNotResolved || error?.code == .deadlineExceeded)
    await loop.shutDown()
  }

  @Test func aCancelledAttemptSaysSoOnceAndIsForgotten() async throws {
    let loop = EventLoop()
    let silent = try SilentListener()
    let codes = Mailbox<TransportError.Code?>()
    loop.execute {
      let attempt = Connector(loop: loop, tls: nil).connect(
        to: "127.0.0.1", port: silent.port, within: .seconds(20)
      ) { result in
        guard case .failure(let error) = result else { return codes.post(nil) }
        codes.post(error.code)
      }
      attempt.cancel()
      attempt.cancel()
      codes.post(.system)
    }
    #expect(try await codes.next() == .cancelled)
    #expect(try await codes.next() == .system)
    await loop.shutDown()
  }

  @Test func anAttemptUnderWayWhenItsLoopStopsFails() async throws {
    let loop = EventLoop()
    let silent = try SilentListener()
    let codes = Mailbox<TransportError.Code?>()
    loop.execute {
      Connector(loop: loop, tls: nil).connect(to: "127.0.0.1", port: silent.port, within: .seconds(20)) { result in
        if case .failure(let error) = result { codes.post(error.code) }
      }
      loop.stop()
    }
    #expect(try await codes.next() == .loopStopped)
  }

  @Test func aChannelNobodyStartsIsClosed() async throws {
    let link = try await Link(.clear)
    let closed = Mailbox<Bool>()
    let (loop, port) = (link.loop, link.listener.address.port)
    loop.execute {
      Connector(loop: loop, tls: nil).connect(to: "127.0.0.1", port: port, within: .seconds(20)) { result in
        closed.post((try? result.get()) != nil)
      }
    }
    #expect(try await closed.next())
    _ = try await link.server.channelID()
    #expect(try await link.server.next() == .inputEnded)
    await link.close()
  }

  @Test func aBusyResolverRefusesInsteadOfGrowing() async throws {
    let resolver = Resolver(maximumThreads: 1, maximumWaiting: 1)
    let codes = Mailbox<TransportError.Code?>()
    // One is being looked up or waits; at least one of many more finds the queue full.
    for _ in 0..<200 {
      resolver.resolve("localhost", port: 1) { result in
        guard case .failure(let error) = result else { return codes.post(nil) }
        codes.post(error.code)
      }
    }
    var refusals = 0
    for _ in 0..<200 where try await codes.next() == .resolverBusy { refusals += 1 }
    #expect(refusals > 0)
  }
}

/// A listening socket that completes no further handshake: its queue is full and nobody accepts.
final class SilentListener: Sendable {
  let port: UInt16
  private let descriptors: [Int32]

  init() throws {
    let listening = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    let any = SocketAddress.loopback(port: 0)
    guard any.withSystemAddress({ bind(listening, $0, $1) }) == 0, listen(listening, 0) == 0 else {
      throw TransportError.system("listen")
    }
    let address = Socket(taking: dup(listening)).localAddress() ?? any
    port = address.port
    // A queue of length 0 holds one connection; further ones are left without an answer.
    descriptors =
      [listening]
      + (0..<3).map { _ in
        let filler = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_NONBLOCK.rawValue), 0)
        _ = address.withSystemAddress { connect(filler, $0, $1) }
        return filler
      }
  }

  deinit { for descriptor in descriptors { close(descriptor) } }
}

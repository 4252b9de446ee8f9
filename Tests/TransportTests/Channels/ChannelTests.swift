import Testing
@testable import Transport

@Suite(.timeLimit(.minutes(1)))
struct ChannelTests {
  @Test(arguments: [Link.Security.clear, .tls])
  func bytesComeBackAsTheyWereSent(_ security: Link.Security) async throws {
    let link = try await Link(security, server: .echo)
    let message = Array("across the wire".utf8)
    await link.write(message)
    #expect(try await link.client.bytes(message.count) == message)
    await link.close()
  }

  @Test(arguments: [Link.Security.clear, .tls])
  func sixteenMegabytesGoThroughABufferFarSmallerThanThat(_ security: Link.Security) async throws {
    let link = try await Link(security, maximumOutput: 1 << 17)
    let total = 16 << 20
    let (loop, id) = (link.loop, link.serverID)
    // A producer that waits for `drained` instead of overfilling the buffer.
    @Sendable func produce(from position: Int) {
      loop.execute {
        guard let channel = loop.channel(id) else { return }
        var sent = position
        while sent < total, channel.bufferedBytes + 8192 <= channel.maximumBufferedBytes {
          channel.write((0..<8192).map { UInt8(truncatingIfNeeded: (sent + $0) &* 31) })
          sent += 8192
        }
        channel.flush()
        if sent < total { produce(from: sent) }
      }
    }
    produce(from: 0)
    let received = try await link.client.bytes(total)
    #expect(received.count == total)
    #expect(received.indices.allSatisfy { received[$0] == UInt8(truncatingIfNeeded: $0 &* 31) })
    await link.close()
  }

  @Test(arguments: [Link.Security.clear, .tls])
  func aPeerThatHasEndedItsSideMayStillBeWrittenTo(_ security: Link.Security) async throws {
    let link = try await Link(security, server: .staysOpen)
    await link.onClient { $0.closeAfterFlush() }
    #expect(try await link.server.next() == .inputEnded)
    let (loop, id) = (link.loop, link.serverID)
    let isOpen = await loop.run {
      guard let channel = loop.channel(id) else { return false }
      channel.write("last words")
      channel.closeAfterFlush()
      return true
    }
    #expect(isOpen)
    #expect(try await link.server.closing() == nil)
    #expect(try await link.client.closing() == nil)
    await link.close()
  }

  @Test func theLastBytesReachAPeerThatHasNotBeenReadToItsEnd() async throws {
    // Closing a socket with unread input resets the connection, and the reset destroys what the peer has not read yet.
    let link = try await Link(.clear, server: .ignoresInput)
    await link.write(Array(repeating: 1, count: 300_000))
    let (loop, id) = (link.loop, link.serverID)
    loop.execute {
      loop.channel(id)?.write("refused")
      loop.channel(id)?.closeAfterFlush()
    }
    #expect(try await link.client.bytes(7) == Array("refused".utf8))
    await link.close()
  }

  @Test func aReaderThatPausesHoldsTheWriterBack() async throws {
    let link = try await Link(.clear, server: .ignoresInput, maximumOutput: 64 << 20)
    await link.write(Array(repeating: 7, count: 32 << 20))
    // More than the kernel's buffers hold, so some of it has to wait for the reader.
    let waiting = await link.onClient { $0.bufferedBytes }
    #expect(waiting ?? 0 > 0)
    let (loop, id) = (link.loop, link.serverID)
    loop.execute { loop.channel(id)?.resumeReading() }
    #expect(try await link.server.bytes(32 << 20).count == 32 << 20)
    #expect(try await link.client.next() == .drained)
    await link.close()
  }

  @Test func writingMoreThanTheBufferMayHoldClosesTheChannel() async throws {
    let link = try await Link(.clear, server: .ignoresInput, maximumOutput: 1000)
    await link.onClient { $0.write(Array(repeating: 0, count: 1001)) }
    #expect(try await link.client.closing() == .outputOverflow)
    await link.close()
  }

  @Test func aLateAnswerToAGoneChannelFindsNothing() async throws {
    let link = try await Link(.clear, server: .echo)
    await link.onClient { $0.close() }
    #expect(try await link.server.closing() == nil)
    let (loop, gone, port) = (link.loop, link.serverID, link.listener.address.port)
    // Its descriptor number is in use again by the next connection; the name is not.
    let events = Link.Events()
    #expect(try await loop.open(Connector(loop: loop, tls: nil), to: port, events) == nil)
    let next = try await link.server.channelID()
    #expect(next.descriptor == gone.descriptor || next.generation != gone.generation)
    #expect(await loop.run { loop.channel(gone) == nil })
    #expect(await loop.run { loop.channel(next) != nil })
    await link.close()
  }

  @Test func aHandlerMayCloseItsChannelWhileInputIsDelivered() async throws {
    final class Closer: ChannelHandler {
      let mailbox: Mailbox<String>
      init(_ mailbox: Mailbox<String>) { self.mailbox = mailbox }
      func channel(_ channel: Channel, received bytes: UnsafeRawBufferPointer) {
        channel.close()
        channel.write("ignored")
        channel.flush()
        // Told later, never from inside a call into the channel.
        mailbox.post("still in the call")
      }
      func channelClosed(_ channel: Channel, error: TransportError?) { mailbox.post("closed") }
    }
    let loop = EventLoop()
    let mailbox = Mailbox<String>()
    let listener = try await Listener.bind(to: .loopback(port: 0), loops: [loop]) { $0.start(Closer(mailbox)) }
    let events = Link.Events()
    #expect(try await loop.open(Connector(loop: loop, tls: nil), to: listener.address.port, events) == nil)
    let id = try await events.channelID()
    loop.execute {
      loop.channel(id)?.write("x")
      loop.channel(id)?.flush()
    }
    #expect(try await mailbox.next() == "still in the call")
    #expect(try await mailbox.next() == "closed")
    await loop.shutDown()
  }

  @Test func aStoppingLoopTellsItsChannels() async throws {
    let link = try await Link(.tls)
    await link.loop.shutDown()
    #expect(try await link.client.closing() == .loopStopped)
    #expect(try await link.server.closing() == .loopStopped)
  }

  @Test func aPeerThatVanishesInTheMiddleOfTLSIsTruncation() async throws {
    let link = try await Link(.tls, server: .staysOpen)
    // Output overflow closes without TLS's goodbye, as a crashing peer would.
    await link.onClient { $0.write(Array(repeating: 0, count: 2 << 20)) }
    #expect(try await link.client.closing() == .outputOverflow)
    let code = try await link.server.closing()
    #expect(code == .truncated || code == .connectionReset)
    await link.close()
  }
}

extension Link {
  func write(_ bytes: [UInt8]) async {
    await onClient {
      $0.write(bytes)
      $0.flush()
    }
  }

  @discardableResult
  func onClient<Value: Sendable>(_ body: @escaping @Sendable (Channel) -> Value) async -> Value? {
    let (loop, id) = (loop, clientID)
    return await loop.run { loop.channel(id).map(body) }
  }
}

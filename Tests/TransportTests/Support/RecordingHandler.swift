import Transport

/// Tells a mailbox what a channel tells it, and does to input what the test asks for.
final class RecordingHandler: ChannelHandler {
  enum Event: Sendable, Equatable {
    case opened(ChannelID, applicationProtocol: String?)
    case received([UInt8])
    case inputEnded
    case drained
    case closed(TransportError.Code?)
  }

  enum Behaviour: Sendable {
    case record
    case echo
    /// Records and leaves the channel open for writing when the peer has ended.
    case staysOpen
    case ignoresInput
  }

  private let mailbox: Mailbox<Event>
  private let behaviour: Behaviour

  init(_ mailbox: Mailbox<Event>, _ behaviour: Behaviour = .record) {
    self.mailbox = mailbox
    self.behaviour = behaviour
  }

  func start(_ channel: Channel) {
    mailbox.post(.opened(channel.id, applicationProtocol: channel.negotiatedProtocol))
    if case .ignoresInput = behaviour { channel.pauseReading() }
    channel.start(self)
  }

  func channel(_ channel: Channel, received bytes: UnsafeRawBufferPointer) {
    switch behaviour {
    case .record, .staysOpen, .ignoresInput: mailbox.post(.received(Array(bytes)))
    case .echo:
      channel.write(bytes)
      channel.flush()
    }
  }

  func channelInputEnded(_ channel: Channel) {
    mailbox.post(.inputEnded)
    if case .staysOpen = behaviour { return }
    channel.closeAfterFlush()
  }

  func channelDrained(_ channel: Channel) { mailbox.post(.drained) }

  func channelClosed(_ channel: Channel, error: TransportError?) { mailbox.post(.closed(error?.code)) }
}

extension Mailbox where Event == RecordingHandler.Event {
  func channelID() async throws -> ChannelID {
    while true {
      if case .opened(let id, _) = try await next() { return id }
    }
  }

  /// Gathers received bytes until there are `count` of them.
  func bytes(_ count: Int) async throws -> [UInt8] {
    var gathered: [UInt8] = []
    while gathered.count < count {
      if case .received(let bytes) = try await next() { gathered += bytes }
    }
    return gathered
  }

  func closing() async throws -> TransportError.Code? {
    while true {
      if case .closed(let code) = try await next() { return code }
    }
  }
}

import HTTP
import Transport

extension HTTP1Connection {
  /// Bodies up to this size are written together with their head; larger ones piece by piece, as the client takes them.
  private static let joinedBody = 32 * 1024
  /// With so much waiting in the channel, nothing new is begun.
  private static let maximumWaiting = 64 * 1024

  func answer(_ response: HTTPResponse, to exchange: Exchange) {
    guard phase == .handling, exchange == self.exchange else { return }
    write(response)
    readOn()
  }

  /// Answers what could not be read, and closes: where the next request begins is not known.
  func refuse(_ refusal: Refusal) {
    answersHEAD = false
    closesAfterAnswer = true
    backlog = []
    write(group.configuration.errorBody(refusal))
  }

  /// Writes an answer and enters the phase that follows from it, but reads nothing.
  func write(_ response: HTTPResponse) {
    task = nil
    if !reader.keepsAlive || group.isDraining { closesAfterAnswer = true }
    var output: [UInt8] = []
    let hasBody = response.status.allowsBody && !answersHEAD
    let isJoined = hasBody && response.body.count <= Self.joinedBody
    output.reserveCapacity(512 + (isJoined ? response.body.count : 0))
    group.encoder.appendHead(of: response, persistence, to: &output)
    if isJoined { output.append(contentsOf: response.body) }
    channel.write(output)
    if hasBody, !isJoined { unsent = response.body[...] }
    proceed()
  }

  private var persistence: ResponseEncoder.Persistence {
    if closesAfterAnswer { return .close }
    return reader.isHTTP10 ? .keepAliveHTTP10 : .keepAlive
  }

  /// Moves on as far as the client's reading allows.
  private func proceed() {
    if !unsent.isEmpty || channel.bufferedBytes > Self.maximumWaiting { fill() }
    guard unsent.isEmpty, channel.bufferedBytes <= Self.maximumWaiting || closesAfterAnswer else {
      phase = .writing
      return setDeadline(after: timeouts.write)
    }
    guard !closesAfterAnswer else {
      phase = .closing
      setDeadline(after: timeouts.write)
      return channel.closeAfterFlush()
    }
    phase = .reading
    setDeadline(after: timeouts.idle)
    channel.flushSoon()
  }

  /// Hands the rest of the answer to the channel in pieces, as long as the kernel takes them.
  private func fill() {
    repeat {
      let piece = unsent.prefix(Self.maximumWaiting)
      piece.withUnsafeBytes { channel.write($0) }
      unsent = unsent.dropFirst(piece.count)
      channel.flush()
    } while !unsent.isEmpty && channel.bufferedBytes == 0 && channel.isOpen
  }

  func channelDrained(_ channel: Channel) {
    guard phase == .writing else { return }
    proceed()
    if phase == .reading { readOn() }
  }
}

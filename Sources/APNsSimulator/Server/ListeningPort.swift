internal import Transport

/// A port that can stop listening and start again, with the same number.
///
/// Owned by its host; an actor so that one change ends before the next begins is not needed of the callers.
actor ListeningPort {
  private let loops: [EventLoop]
  private let onAccept: @Sendable (Channel) -> Void
  private var listener: Listener?
  private var tls: TLSServerContext?
  private var port: UInt16 = 0

  init(loops: [EventLoop], onAccept: @escaping @Sendable (Channel) -> Void) {
    self.loops = loops
    self.onAccept = onAccept
  }

  /// Gives the port, which is any free one for 0.
  func open(port: UInt16, tls: TLSServerContext) async throws(SimulatorError) -> UInt16 {
    self.port = port
    self.tls = tls
    return try await reopen()
  }

  func reopen() async throws(SimulatorError) -> UInt16 {
    guard listener == nil else { return port }
    var configuration = Listener.Configuration(tls: tls)
    // An answer may be scripted to have megabytes, and a slow reader is not the simulator's enemy.
    configuration.maximumOutput = 64 << 20
    do throws(TransportError) {
      let opened = try await Listener.bind(
        to: .loopback(port: port), loops: loops, configuration: configuration, onAccept: onAccept)
      listener = opened
      port = opened.address.port
      return port
    } catch {
      throw SimulatorError(.badConfiguration, "cannot listen: \(error)")
    }
  }

  /// Returns when the kernel refuses connections.
  func close() async {
    await listener.take()?.stopAccepting()
  }
}

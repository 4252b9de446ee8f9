internal import ServiceKit
internal import Transport

/// One environment of the simulator: a port, its device tokens, its faults and its record.
///
/// Made and stopped by ``SimulatedAPNs``; usable from any thread. What it is told to do to connections is done on their loops,
/// in the order of the calls.
package final class SimulatedHost: Sendable {
  let core: HostCore
  private let lanes: [HostLane]
  private let certificates: HostCertificates
  /// One change of the listener at a time.
  private let listening: ListeningPort

  package var environment: SimulatedEnvironment { core.environment }
  /// Stays the same when listening stops and resumes.
  package let port: UInt16

  init(
    core: HostCore, port: UInt16, loops: [EventLoop], certificates: HostCertificates
  ) async throws(SimulatorError) {
    self.core = core
    self.certificates = certificates
    let lanes = loops.map(HostLane.init)
    self.lanes = lanes
    listening = ListeningPort(loops: loops) { channel in
      guard let lane = lanes.first(where: { $0.loop === channel.loop }) else { return channel.close() }
      SimulatedConnection.serve(channel, core: core, lane: lane)
    }
    self.port = try await listening.open(port: port, tls: certificates.context(for: .none))
  }

  func stop() async {
    await listening.close()
    for lane in lanes {
      lane.perform { $0.cut() }
      await lane.settle()
    }
    core.book.stop()
  }
}

// MARK: - Connections

extension SimulatedHost {
  /// New connections are refused by the kernel; those that are open go on.
  package func stopListening() async { await listening.close() }

  package func resumeListening() async throws(SimulatorError) { _ = try await listening.reopen() }

  /// For handshakes to come. Listens again if it had stopped.
  package func setTLS(_ fault: TLSFault) async throws(SimulatorError) {
    let context = try certificates.context(for: fault)
    await listening.close()
    _ = try await listening.open(port: port, tls: context)
  }

  /// SETTINGS_MAX_CONCURRENT_STREAMS, at once on every connection and on those to come; nil lets tokens decide again.
  package func setStreamLimit(_ limit: UInt32?) {
    core.imposeLimit(limit)
    for lane in lanes { lane.perform { $0.announceLimit() } }
  }

  /// Returns when what was told to connections before has been done, which is not to say that it has arrived.
  package func settle() async {
    for lane in lanes { await lane.settle() }
  }

  /// One GOAWAY after the other, on one connection or on all.
  package func goAway(_ scripts: [GoAwayScript], connection: UInt64? = nil) {
    for lane in lanes { lane.perform(on: connection) { connection in scripts.forEach(connection.goAway) } }
  }

  package func goAway(_ script: GoAwayScript = GoAwayScript(), connection: UInt64? = nil) {
    goAway([script], connection: connection)
  }

  /// Neither reads nor writes any more and keeps the sockets open.
  package func blackHole(connection: UInt64? = nil) {
    for lane in lanes { lane.perform(on: connection) { $0.fallSilent() } }
  }

  /// Without a GOAWAY.
  package func cutConnections(connection: UInt64? = nil) {
    for lane in lanes { lane.perform(on: connection) { $0.cut() } }
  }
}

// MARK: - Faults and devices

extension SimulatedHost {
  /// Replaces the plan and starts its counts anew.
  package func setFaults(_ plan: FaultPlan) { core.book.change { $0.faults = FaultEngine(plan) } }

  package func setDevice(_ token: String, bundleID: String, state: DeviceRegistry.State = .active) {
    core.devices.update(environment) { $0.set(Self.key(token), bundleID: bundleID, state: state) }
  }

  package func setUnknownTokens(_ policy: DeviceRegistry.UnknownTokens) {
    core.devices.update(environment) { $0.unknownTokens = policy }
  }

  /// Every registered token answers 410 from now on.
  package func retireAllDevices(as state: DeviceRegistry.State) {
    core.devices.update(environment) { $0.retireAll(as: state) }
  }

  private static func key(_ token: String) -> [UInt8] { Hexadecimal.lowercased(token.utf8) }
}

// MARK: - Record

extension SimulatedHost {
  package var statistics: SimulatorStatistics { core.book.read { $0.statistics } }

  /// Recorded requests with a number above `number`, oldest first.
  package func requests(after number: UInt64 = 0, limit: Int = .max) -> [RecordedRequest] {
    core.book.read { Array($0.log.page(after: number, limit: limit)) }
  }

  /// What the phone with this token shows, newest last.
  package func delivered(to token: String) -> [DeliveredPush] {
    core.book.read { $0.screens.screen(of: Self.key(token)) }
  }

  /// The one push that would be kept for this phone's app while it is off.
  package func stored(for token: String, bundleID: String) -> DeliveredPush? {
    let now = core.clock.now() / 1000
    return core.book.read { $0.screens.stored(for: Self.key(token), bundleID: bundleID, now: now) }
  }

  /// Forgets requests, phones and counters.
  package func reset() { core.book.change { $0.reset() } }

  /// Returns when that many requests have come since the start or the last reset.
  package func waitForRequests(_ count: Int, within limit: Duration = .seconds(10)) async throws(SimulatorError) {
    try await wait(within: limit) { $0.requests >= count }
  }

  package func waitForConnections(open count: Int, within limit: Duration = .seconds(10)) async throws(SimulatorError) {
    try await wait(within: limit) { $0.connectionsOpen == count }
  }

  /// Returns when the counters satisfy the condition; throws `deadlinePassed` with the counters otherwise.
  package func wait(
    within limit: Duration, until isSatisfied: @escaping @Sendable (SimulatorStatistics) -> Bool
  ) async throws(SimulatorError) {
    guard await !core.book.wait(within: limit, until: isSatisfied) else { return }
    throw SimulatorError(.deadlinePassed, "waited in vain; counters: \(statistics)")
  }
}

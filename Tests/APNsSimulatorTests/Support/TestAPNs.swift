import Crypto
import ServiceKit
import Transport

@testable import APNsSimulator

/// A simulator with loops of its own, one registered key and a clock that only the test moves.
struct TestAPNs: Sendable {
  let simulator: SimulatedAPNs
  let key: TestKey
  /// Of this key, made at the start: a second one would soon be one too many.
  let token: String
  let clock: TestClock
  let serverLoops: [EventLoop]
  let clientLoop: EventLoop

  var sandbox: SimulatedHost { simulator.sandbox }

  /// Runs the body and takes everything down, whatever happens.
  static func run(
    _ configuration: SimulatorConfiguration = SimulatorConfiguration(), loops: Int = 1,
    _ body: (TestAPNs) async throws -> Void
  ) async throws {
    let clock = TestClock()
    var configuration = configuration
    configuration.clock = clock.reading
    let serverLoops = (0..<loops).map { EventLoop(name: "apns-\($0)") }
    let clientLoop = EventLoop(name: "sender")
    let simulator = try await SimulatedAPNs.start(configuration, on: serverLoops)
    let key = try TestKey()
    simulator.register(key.credential())
    let bench = TestAPNs(
      simulator: simulator, key: key, token: try key.authorization(issuedAt: clock.seconds), clock: clock,
      serverLoops: serverLoops, clientLoop: clientLoop)
    let result: (any Error)?
    do {
      try await body(bench)
      result = nil
    } catch { result = error }
    await simulator.stop()
    for loop in serverLoops + [clientLoop] { await loop.shutDown() }
    if let result { throw result }
  }

  func sender(
    _ environment: SimulatedEnvironment = .sandbox, maximumBody: Int = 4096
  ) async throws -> TestSender {
    try await TestSender.connect(
      to: simulator[environment].port, trusting: simulator.caPEM, on: clientLoop, maximumBody: maximumBody)
  }

  func newAuthorization() throws -> String { try key.authorization(issuedAt: clock.seconds) }

  /// A sender whose connection has shown a valid token and has its full number of streams.
  func openSender(maximumBody: Int = 4096) async throws -> TestSender {
    let sender = try await sender(maximumBody: maximumBody)
    let first = await sender.send(TestPush(token: TestPush.token(0xf1), authorization: token))
    guard first.status == 200, await sender.wait(until: { $0.capacity >= 1000 }) else { throw NotOpened() }
    return sender
  }

  struct NotOpened: Error {}
}

/// Starts at the system's time, because independent clients live in it, and moves only when told.
struct TestClock: Sendable {
  private let time: Lock<Int64>

  init() { time = Lock(SimulatorClock.system.now()) }

  var reading: SimulatorClock { SimulatorClock { [time] in time.withLock { $0 } } }
  var milliseconds: Int64 { time.withLock { $0 } }
  var seconds: Int64 { milliseconds / 1000 }

  func advance(seconds: Int64) { time.withLock { $0 += seconds * 1000 } }
}

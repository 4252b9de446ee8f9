internal import ServiceKit

/// What all connections of one environment share: how to judge, where to write down, and which limits hold.
///
/// Owned by its host; usable from any thread; its changing parts are behind locks of their own.
final class HostCore: Sendable {
  let environment: SimulatedEnvironment
  let mode: SimulatorConfiguration.Mode
  let clock: SimulatorClock
  let judge: RequestJudge
  let devices: DeviceDirectory
  let book: HostBook
  private let limits: SimulatorConfiguration.StreamLimits
  private let state = Lock(State())

  private struct State: Sendable {
    var imposedLimit: UInt32?
    var connectionCount: UInt64 = 0
  }

  init(
    _ environment: SimulatedEnvironment, _ configuration: SimulatorConfiguration, authority: TokenAuthority,
    devices: DeviceDirectory
  ) {
    self.environment = environment
    mode = configuration.mode
    clock = configuration.clock
    limits = configuration.streams
    self.devices = devices
    judge = RequestJudge(environment: environment, authority: authority, devices: devices)
    book = HostBook(memory: HostMemory(record: configuration.record, screens: configuration.screens))
  }

  /// Connections are numbered from 1 over the host's life.
  func nextConnection() -> UInt64 {
    state.withLock {
      $0.connectionCount += 1
      return $0.connectionCount
    }
  }

  /// SETTINGS_MAX_CONCURRENT_STREAMS for a connection, before or after its first valid token.
  func streamLimit(isOpen: Bool) -> UInt32 {
    if let imposed = state.withLock({ $0.imposedLimit }) { return imposed }
    return isOpen || mode == .raw ? limits.afterToken : limits.beforeToken
  }

  /// nil lets tokens decide again.
  func imposeLimit(_ limit: UInt32?) { state.withLock { $0.imposedLimit = limit } }

  /// Judges a request, writes down what becomes of it and says what is to be done.
  func settle(_ request: ArrivedRequest, gate: inout ConnectionGate) -> Reaction {
    let (verdict, fault) = judge.judge(
      request.fields, bodyLength: request.bodyLength, gate: &gate, now: request.receivedAt
    ) { token in
      book.read { $0.faults.plan.rules.isEmpty } ? nil : book.change { $0.faults.action(token: token) }
    }
    var reaction = Reaction(to: request, verdict: verdict, fault: fault, on: environment)
    reaction.delayMilliseconds += book.change { memory in
      memory.write(request, reaction.outcome)
      if let fields = reaction.accepted {
        memory.show(
          DeliveredPush(fields, messageID: request.answerID, payload: request.body, at: request.receivedAt),
          on: fields.token)
      }
      return memory.faults.plan.latency.milliseconds()
    }
    return reaction
  }
}

package import PushCore
package import ServiceKit
package import Transport

/// Apple's push service as a ``PushCore/PushProvider``.
///
/// Made by the composition root with event loops of the root's, usable from any thread, ended by ``stop(within:)``. Each key's pool lives on
/// one of the loops; a group goes there in one hop and comes back in portions.
package final class APNsProvider: PushProvider {
  private let engines: [Engine]

  /// A loop with what belongs to it: reached by way of the loop only.
  private struct Engine: Sendable {
    let loop: EventLoop
    let state: LoopBound<EngineLoop>
  }

  package init(
    settings: APNsSettings, tokens: any ProviderTokenStore, loops: [EventLoop], metrics: Metrics, log: Log
  ) async throws {
    try settings.validate()
    guard !loops.isEmpty else { throw APNsError(.invalidSetting, "there is no event loop") }
    let tls: TLSClientContext
    do {
      tls = try TLSClientContext(trust: settings.trust, protocols: ["h2"])
    } catch {
      throw APNsError(.trust, error.description)
    }
    let counted = EngineMetrics(metrics)
    var engines: [Engine] = []
    for loop in loops {
      let state = await withCheckedContinuation { continuation in
        loop.execute {
          let state = EngineLoop(
            loop: loop, settings: settings, tls: tls, store: tokens, metrics: counted, log: log)
          continuation.resume(returning: LoopBound(state, loop: loop))
        }
      }
      engines.append(Engine(loop: loop, state: state))
    }
    self.engines = engines
  }

  package func problems(in draft: MessageDraft) -> [FieldProblem] { DraftRules.problems(in: draft.content) }

  package func compile(_ message: Message) throws -> any CompiledMessage { try CompiledPush(message) }

  package func send(_ group: SendGroup, report: @escaping @Sendable ([SendResult]) -> Void) async {
    let engine = engine(for: PoolKey(group.credential, environment: group.environment))
    await withCheckedContinuation { continuation in
      engine.loop.execute {
        engine.state.value.send(
          GroupRun(group, startedAt: engine.loop.now, report: report, finish: { continuation.resume() }))
      }
    }
  }

  /// Gives back what waits, lets what is under way end within `deadline` and reports the rest as unanswered. Returns when
  /// everything has been reported. Stop it before its loops.
  package func stop(within deadline: Duration) async {
    for engine in engines {
      await withCheckedContinuation { continuation in
        engine.loop.execute {
          engine.state.value.stop(within: deadline) { continuation.resume() }
        }
      }
    }
  }

  private func engine(for key: PoolKey) -> Engine {
    engines[Int(UInt(bitPattern: key.hashValue) % UInt(engines.count))]
  }
}

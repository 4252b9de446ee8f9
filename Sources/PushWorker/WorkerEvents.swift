package import PushCore

/// What a worker has to say to whoever watches it. The composition root turns these into log lines and metrics, so that the worker
/// itself formats nothing. Every closure may be called from any thread and must not block.
package struct WorkerEvents: Sendable {
  /// The database refused a step, which will be tried again or left to another worker.
  package var storeFailed: @Sendable (_ step: String, _ error: any Error) -> Void
  /// A message could not be made into a payload: the API should have refused it.
  package var notRenderable: @Sendable (MessageID) -> Void
  /// Settlements of so many batches came too late: others have them now.
  package var leasesLost: @Sendable (Int) -> Void
  package var heartbeatMissed: @Sendable (Int) -> Void
  /// So many tokens were called dead that none of this app is retired for now.
  package var brakeOn: @Sendable (AppID, _ dead: Int) -> Void
  /// Batches of workers that died are due again.
  package var rescued: @Sendable (Int) -> Void

  package init(
    storeFailed: @escaping @Sendable (String, any Error) -> Void = { _, _ in },
    notRenderable: @escaping @Sendable (MessageID) -> Void = { _ in },
    leasesLost: @escaping @Sendable (Int) -> Void = { _ in },
    heartbeatMissed: @escaping @Sendable (Int) -> Void = { _ in },
    brakeOn: @escaping @Sendable (AppID, Int) -> Void = { _, _ in },
    rescued: @escaping @Sendable (Int) -> Void = { _ in }
  ) {
    self.storeFailed = storeFailed
    self.notRenderable = notRenderable
    self.leasesLost = leasesLost
    self.heartbeatMissed = heartbeatMissed
    self.brakeOn = brakeOn
    self.rescued = rescued
  }
}

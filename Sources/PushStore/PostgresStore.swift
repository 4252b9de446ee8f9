internal import Crypto
package import Postgres
internal import PushCore
internal import ServiceKit

/// PostgreSQL behind the domain's ports: tenancy, installations, messages, the queue, keys and provider tokens. Every SQL statement
/// of the product is in this module.
///
/// Owned by the composition root; usable from any thread. Requests and workers have pools of their own, so that neither starves the
/// other. Ends with ``stop()``; the pools are closed by who made them.
package final class PostgresStore: Sendable {
  /// For what a caller waits for.
  let api: ConnectionPool
  /// For the queue.
  let worker: ConnectionPool
  let sealer: Sealer

  let keys = ExpiringCache<PresentedKeyHash, APIKey?>(capacity: 20_000, lifetime: .seconds(5))
  let publicApps = ExpiringCache<AppID, App?>(capacity: 20_000, lifetime: .seconds(5))
  let appKeys = ExpiringCache<AppID, AppKeys?>(capacity: 20_000, lifetime: .seconds(5))

  let reports: CommitGatherer<AppID, DeviceReport, RegistrationResult>
  let creations: CommitGatherer<AppID, NewMessage, MessageCreation>
  let receipts: CommitGatherer<AppID, Receipt, Void>
  let wakeUpSource: WakeUpSource

  /// `worker` may be the same pool in a process that only serves. The connection of `api` is also where notifications are heard.
  package init(api: ConnectionPool, worker: ConnectionPool, sealer: Sealer) {
    self.api = api
    self.worker = worker
    self.sealer = sealer
    let registry = RegistryWriter(pool: api)
    reports = CommitGatherer(GatheringLimits(group: 256, commits: 3)) { app, reports in
      try await registry.commit(reports, of: app)
    }
    let messages = MessageWriter(pool: api)
    creations = CommitGatherer(GatheringLimits(group: 200, commits: 3)) { app, drafts in
      try await messages.commit(drafts, of: app)
    }
    let receiptWriter = ReceiptWriter(pool: api)
    receipts = CommitGatherer(GatheringLimits(group: 500, commits: 2)) { app, receipts in
      try await receiptWriter.commit(receipts, of: app)
    }
    wakeUpSource = WakeUpSource(worker.configuration.connection)
  }

  /// Refuses new reports, messages and receipts, commits what was taken in, and ends the wake-ups.
  package func stop() async {
    await reports.stop()
    await creations.stop()
    await receipts.stop()
    await wakeUpSource.stop()
  }
}

extension PostgresStore: TenancyStore {}

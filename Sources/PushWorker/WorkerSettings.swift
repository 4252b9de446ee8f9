package import PushCore

/// How a worker shares its capacity. A plain value, fixed for the life of a worker.
package struct WorkerSettings: Sendable, Hashable {
  /// Runs at once, of all lanes and apps: bounds memory (each holds at most a slice) and database connections.
  package var maximumRuns = 8
  /// Of those, how many may be bulk: the rest is always free for transactional messages.
  package var maximumBulkRuns = 5
  /// Runs at once for one app in one lane, so that an app whose pushes stall cannot take all of them.
  package var maximumRunsPerApp = 4
  /// Installations in a claimed slice. 4 000 are read in 5 ms and sent in some 40 ms; smaller ones cost more commits.
  package var sliceSize = 4000
  /// Batches in one claim of the transactional lane: mostly messages for one person.
  package var transactionalClaim = 256
  /// Batches in one claim of the bulk lane.
  package var bulkClaim = 4
  /// How long a claim lasts without a heartbeat; one is sent every third of it.
  package var lease = Seconds(60)
  /// The longest that a recorded answer waits for others before it is written.
  package var flushInterval: Duration = .milliseconds(250)
  /// How often a worker looks for work when nothing hints at any.
  package var pollInterval: Duration = .seconds(1)
  /// How often it looks for leases of workers that died.
  package var rescueInterval: Duration = .seconds(10)
  package var retry = RetryPolicy()
  /// How long a delivery waits that did not reach the provider at all.
  package var unsentDelay = Seconds(5)

  package init() {}
}

internal import CLinux
internal import Glibc

/// A private PostgreSQL server for installations that have none: made on first use, reached over a Unix socket only.
///
/// Owned by who started it. A keeper thread starts the server and waits for its end; the server stops with `stop()` and,
/// where `setpriv` exists, also when our process dies (the kernel signals it when the keeper thread goes). Whatever an
/// unexpected end leaves behind, the next start clears away.
package final class EmbeddedCluster: Sendable {
  /// A libpq key/value string.
  package let conninfo: String
  /// Where the server writes its log.
  package let logDirectory: String
  private let postmaster: Postmaster
  private let stopTimeout: Duration

  private init(_ started: StartedCluster, _ configuration: EmbeddedConfiguration) {
    conninfo = started.conninfo
    logDirectory = started.logDirectory
    postmaster = started.postmaster
    stopTimeout = configuration.stopTimeout
  }

  /// Makes the cluster if there is none, stops what an earlier run left running, starts the server and waits until it
  /// accepts connections. Throws `EmbeddedPostgresError`.
  package static func start(_ configuration: EmbeddedConfiguration) async throws -> EmbeddedCluster {
    let started = try await withCheckedThrowingContinuation { continuation in
      let keeper = ClusterKeeper(configuration, continuation)
      if let failure = keeper.startThread() { continuation.resume(throwing: failure) }
    }
    return EmbeddedCluster(started, configuration)
  }

  package var isRunning: Bool { postmaster.isRunning }

  /// The server's process, while it runs.
  package var processID: Int32? { postmaster.process }

  /// Returns when the server has ended, for whatever reason.
  package func waitUntilEnded() async {
    // Without a timeout the answer is always true.
    _ = await postmaster.hasEnded(within: nil)
  }

  /// Ends the sessions, writes a checkpoint and stops; in haste when that takes longer than `stopTimeout`.
  package func stop() async {
    postmaster.signal(SIGINT)
    if await postmaster.hasEnded(within: stopTimeout) { return }
    postmaster.signal(SIGQUIT)
    // The server itself kills its children after five seconds.
    if await postmaster.hasEnded(within: .seconds(8)) { return }
    postmaster.signal(SIGKILL)
    await waitUntilEnded()
  }

  /// Blocks the calling thread until the server is gone: for `atexit`, where nothing can be awaited.
  package func stopAtOnce() {
    postmaster.signal(SIGQUIT)
    let deadline = ContinuousClock.now + .seconds(8)
    while postmaster.isRunning && ContinuousClock.now < deadline { usleep(2000) }
    postmaster.signal(SIGKILL)
  }
}

/// What the keeper thread hands back once the server is ready.
struct StartedCluster: Sendable {
  let conninfo: String
  let logDirectory: String
  let postmaster: Postmaster
}

internal import CLinux
internal import Glibc

/// The thread that starts a cluster's server and waits for its end, since both block.
///
/// Made by `EmbeddedCluster.start`; keeps itself alive until the server has ended. It has to outlive the server's start:
/// "when the parent dies" means this thread to the kernel.
final class ClusterKeeper: Sendable {
  private let configuration: EmbeddedConfiguration
  private let started: CheckedContinuation<StartedCluster, any Error>

  init(_ configuration: EmbeddedConfiguration, _ started: CheckedContinuation<StartedCluster, any Error>) {
    self.configuration = configuration
    self.started = started
  }

  /// nil when the thread runs; it then resumes the continuation. Otherwise the caller does.
  func startThread() -> EmbeddedPostgresError? {
    let context = Unmanaged.passRetained(self)
    var thread = pthread_t()
    guard pthread_create(&thread, nil, { runClusterKeeper($0) }, context.toOpaque()) == 0 else {
      context.release()
      return EmbeddedPostgresError(.startFailed, "no thread for the database server")
    }
    pthread_detach(thread)
    return nil
  }

  fileprivate func run() {
    do throws(EmbeddedPostgresError) {
      try keep()
    } catch {
      started.resume(throwing: error)
    }
  }

  private func keep() throws(EmbeddedPostgresError) {
    let layout = try ClusterLayout.prepare(configuration)
    let lock = try ClusterLock(directory: layout.directory)
    try ServerProcesses.stopOrphans(in: layout.data, timeout: configuration.stopTimeout)
    let binaries = try ServerBinaries.find(version: layout.version)
    if layout.version == nil {
      try ClusterInitialisation(layout: layout, binaries: binaries, configuration: configuration).run()
    }
    let sockets = try SocketDirectory.prepare(in: layout.directory, account: layout.account)
    let process = try start(layout, binaries, sockets)
    let postmaster = Postmaster(process)
    started.resume(
      returning: StartedCluster(
        conninfo: conninfo(sockets), logDirectory: layout.log, postmaster: postmaster))
    postmaster.waitForEndOfProcess(process)
    _ = consume lock
  }

  /// The process of a server that accepts connections.
  private func start(_ layout: ClusterLayout, _ binaries: ServerBinaries, _ sockets: String)
    throws(EmbeddedPostgresError) -> pid_t
  {
    var arguments = ["-D", layout.data]
    var settings = [
      "listen_addresses=", "unix_socket_directories=\(sockets)", "unix_socket_permissions=0700", "port=5432",
      "logging_collector=on", "log_directory=\(layout.log)",
    ]
    switch configuration.durability {
    case .full: break
    case .none: settings += ["fsync=off", "synchronous_commit=off", "full_page_writes=off"]
    }
    for setting in settings { arguments += ["-c", setting] }
    let process = try ChildProcess.spawn(layout.command(binaries.path("postgres"), arguments))
    try waitUntilReady(process, layout)
    return process
  }

  private func waitUntilReady(_ process: pid_t, _ layout: ClusterLayout) throws(EmbeddedPostgresError) {
    let deadline = ContinuousClock.now + configuration.startTimeout
    while true {
      if let file = PostmasterFile(data: layout.data), file.process == process, file.isReady { return }
      var status: Int32 = 0
      if waitpid(process, &status, WNOHANG) == process {
        throw EmbeddedPostgresError(
          .startFailed,
          "the database server did not start: " + FileSystem.tail(layout.startLog, limit: 600) + " (see \(layout.log))")
      }
      guard ContinuousClock.now < deadline else {
        kill(process, SIGQUIT)
        _ = ChildProcess.wait(for: process)
        throw EmbeddedPostgresError(
          .startTimedOut, "the database server was not ready in time; its log is in \(layout.log)")
      }
      usleep(5000)
    }
  }

  private func conninfo(_ sockets: String) -> String {
    let parameters = [
      ("host", sockets), ("port", "5432"), ("dbname", configuration.databaseName), ("user", configuration.userName),
    ]
    return parameters.map { "\($0)=\(Self.quoted($1))" }.joined(separator: " ")
  }

  /// libpq's quoting: in single quotes, with backslashes before quotes and backslashes.
  private static func quoted(_ value: String) -> String {
    "'" + value.replacing("\\", with: "\\\\").replacing("'", with: "\\'") + "'"
  }
}

private func runClusterKeeper(_ context: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
  pthread_setname_np(pthread_self(), "postgres-keeper")
  Unmanaged<ClusterKeeper>.fromOpaque(context!).takeRetainedValue().run()
  return nil
}

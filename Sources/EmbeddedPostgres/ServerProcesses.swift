internal import Glibc

/// The server processes that work in a data directory, found by their working directory.
enum ServerProcesses {
  /// Every process of a server has the data directory as its working directory.
  static func inDirectory(_ data: String) -> [pid_t] {
    guard let path = realpath(data, nil) else { return [] }
    defer { free(path) }
    let resolved = String(cString: path)
    return DirectoryListing.names(in: "/proc").compactMap { pid_t($0) }.filter { workingDirectory(of: $0) == resolved }
  }

  /// The first line of `postmaster.pid`.
  static func postmaster(of data: String) -> pid_t? { PostmasterFile(data: data)?.process }

  private static func workingDirectory(of process: pid_t) -> String? {
    withUnsafeTemporaryAllocation(of: CChar.self, capacity: Int(PATH_MAX)) { buffer in
      let count = readlink("/proc/\(process)/cwd", buffer.baseAddress!, buffer.count)
      guard count > 0 else { return nil }
      return String(decoding: UnsafeRawBufferPointer(buffer).prefix(count), as: UTF8.self)
    }
  }

  /// Stops what an unexpected end of an earlier run of ours left behind. The caller holds the cluster's lock, so nobody
  /// uses it. Blocks for at most `timeout` and a few seconds.
  static func stopOrphans(in data: String, timeout: Duration) throws(EmbeddedPostgresError) {
    let orphans = inDirectory(data)
    if orphans.isEmpty { return removeStaleFile(data) }
    if let postmaster = postmaster(of: data), orphans.contains(postmaster) {
      kill(postmaster, SIGINT)
      if isGone(data, within: timeout) { return }
      kill(postmaster, SIGQUIT)
    }
    // Children of a postmaster that was killed notice by themselves and leave.
    if isGone(data, within: .seconds(5)) { return }
    for process in inDirectory(data) { kill(process, SIGQUIT) }
    guard isGone(data, within: .seconds(5)) else {
      throw EmbeddedPostgresError(.startFailed, "an earlier server in \(data) does not stop")
    }
  }

  private static func isGone(_ data: String, within timeout: Duration) -> Bool {
    let deadline = ContinuousClock.now + timeout
    while !inDirectory(data).isEmpty {
      guard ContinuousClock.now < deadline else { return false }
      usleep(10_000)
    }
    return true
  }

  /// A pid file whose number belongs to some other process by now would make the server refuse to start. One whose
  /// process is gone the server clears away itself, with checks of its own.
  private static func removeStaleFile(_ data: String) {
    guard let process = postmaster(of: data), kill(process, 0) == 0 || errno == EPERM else { return }
    unlink(data + "/postmaster.pid")
  }
}

/// `postmaster.pid`: line 1 is the process, line 8 its state (`pidfile.h`).
struct PostmasterFile {
  let process: pid_t
  let isReady: Bool

  init?(data: String) {
    let text = String(decoding: FileSystem.read(data + "/postmaster.pid", maximum: 4096), as: UTF8.self)
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    guard let first = lines.first, let process = pid_t(first) else { return nil }
    self.process = process
    isReady = lines.count > 7 && lines[7].hasPrefix("ready")
  }
}

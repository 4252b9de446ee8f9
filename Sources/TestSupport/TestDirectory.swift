internal import EmbeddedPostgres
internal import Glibc
internal import ServiceKit

/// Directories of this process's private cluster under /tmp, and their removal.
enum TestDirectory {
  private static let prefix = "bolrach-test-"

  /// A path for this process; what earlier processes left behind is removed first.
  static func make() -> String {
    removeLeftovers()
    return "/tmp/\(prefix)\(getpid())"
  }

  private struct Running: Sendable {
    let directory: String
    let cluster: EmbeddedCluster
  }

  /// `atexit` takes a function without context, so what it needs is here.
  private static let running = Lock<Running?>(nil)

  static func removeAtExit(_ directory: String, _ cluster: EmbeddedCluster) {
    running.withLock { $0 = Running(directory: directory, cluster: cluster) }
    atexit { TestDirectory.stopAndRemove() }
  }

  private static func stopAndRemove() {
    guard let running = running.withLock({ $0 }) else { return }
    running.cluster.stopAtOnce()
    remove(running.directory)
  }

  /// A directory belongs to a process that is gone, or to nobody.
  private static func removeLeftovers() {
    for name in names(in: "/tmp") {
      guard name.hasPrefix(prefix), let process = pid_t(name.dropFirst(prefix.count)) else { continue }
      guard process == getpid() || (kill(process, 0) != 0 && errno == ESRCH) else { continue }
      remove("/tmp/\(name)")
    }
  }

  private static func remove(_ path: String) {
    var status = stat()
    guard lstat(path, &status) == 0 else { return }
    guard status.st_mode & S_IFMT == S_IFDIR else {
      unlink(path)
      return
    }
    for name in names(in: path) { remove(path + "/" + name) }
    rmdir(path)
  }

  private static func names(in path: String) -> [String] {
    guard let directory = opendir(path) else { return [] }
    defer { closedir(directory) }
    var names: [String] = []
    while let entry = readdir(directory) {
      names.append(
        withUnsafeBytes(of: &entry.pointee.d_name) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) })
    }
    return names.filter { $0 != "." && $0 != ".." }
  }
}

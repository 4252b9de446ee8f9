internal import EmbeddedPostgres
internal import Glibc
internal import ServiceKit

/// Directories of this process's private cluster, and their removal.
enum TestDirectory {
  private static let prefix = "bolrach-test-"
  /// In memory a database is made in 15 ms, on a disk in 180.
  private static let places = ["/dev/shm", "/tmp"]
  private static let neededBytes = 2 << 30

  /// A path for this process; what earlier processes left behind is removed first.
  static func make() -> String {
    for place in places { removeLeftovers(in: place) }
    let place = places.first { isWritable($0) && freeBytes($0) >= neededBytes } ?? "/tmp"
    return "\(place)/\(prefix)\(getpid())"
  }

  private static func isWritable(_ place: String) -> Bool { access(place, W_OK | X_OK) == 0 }

  private static func freeBytes(_ place: String) -> Int {
    var status = statvfs()
    guard statvfs(place, &status) == 0 else { return 0 }
    return Int(status.f_bavail) * Int(status.f_frsize)
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
  private static func removeLeftovers(in place: String) {
    for name in names(in: place) {
      guard name.hasPrefix(prefix), let process = pid_t(name.dropFirst(prefix.count)) else { continue }
      guard process == getpid() || (kill(process, 0) != 0 && errno == ESRCH) else { continue }
      remove("\(place)/\(name)")
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

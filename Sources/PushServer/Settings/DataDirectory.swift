internal import Glibc

/// Where the private set-up keeps its cluster and secrets.
enum DataDirectory {
  /// Makes it when missing. Others may pass through it (PostgreSQL runs as another user when we are root) but not look into it; what is
  /// secret in there is readable by its owner only.
  static func make(_ path: String) throws(StartError) {
    guard mkdir(path, 0o711) != 0, errno != EEXIST else { return }
    throw StartError("\(path) cannot be made: \(String(cString: strerror(errno)))")
  }
}

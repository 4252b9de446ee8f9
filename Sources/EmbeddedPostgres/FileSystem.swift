internal import Glibc

/// The few file operations the cluster needs, with errors that name the path.
enum FileSystem {
  static func status(_ path: String) -> stat? {
    var status = stat()
    return lstat(path, &status) == 0 ? status : nil
  }

  static func absolute(_ path: String) throws(EmbeddedPostgresError) -> String {
    guard !path.hasPrefix("/") else { return path }
    guard let current = getcwd(nil, 0) else {
      throw EmbeddedPostgresError(.directoryNotUsable, "the working directory does not exist")
    }
    defer { free(current) }
    return String(cString: current) + "/" + path
  }

  /// Makes the directory and missing parents. Only the last one gets `mode`; parents get what is usual.
  static func makeDirectory(_ path: String, mode: mode_t) throws(EmbeddedPostgresError) {
    guard mkdir(path, mode) != 0 else { return }
    switch errno {
    case EEXIST: return
    case ENOENT where path.contains("/") && !parent(of: path).isEmpty:
      try makeDirectory(parent(of: path), mode: 0o755)
      guard mkdir(path, mode) != 0, errno != EEXIST else { return }
      throw failure(path)
    default: throw failure(path)
    }
  }

  /// Makes `path` a directory that only the account may enter. As root we act in places where the account may plant
  /// links, so everything goes through a descriptor that followed none; whose directory it was is checked first.
  static func claimDirectory(_ path: String, for account: ServerAccount) throws(EmbeddedPostgresError) {
    try makeDirectory(path, mode: 0o700)
    let descriptor = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
    guard descriptor >= 0 else { throw failure(path) }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { throw failure(path) }
    guard status.st_uid == geteuid() || status.st_uid == account.userID else {
      throw EmbeddedPostgresError(.directoryNotUsable, "\(path) belongs to another account")
    }
    if status.st_uid != account.userID, fchown(descriptor, account.userID, account.groupID) != 0 { throw failure(path) }
    guard fchmod(descriptor, 0o700) == 0 else { throw failure(path) }
  }

  static func parent(of path: String) -> String {
    String(path[..<(path.lastIndex(of: "/") ?? path.startIndex)])
  }

  /// Directories from the root down to the path's parent.
  static func ancestors(of path: String) -> [String] {
    var ancestors: [String] = []
    var current = parent(of: path)
    while !current.isEmpty {
      ancestors.append(current)
      current = parent(of: current)
    }
    return ["/"] + ancestors.reversed()
  }

  /// At most `limit` bytes from the end of a small file; empty when it cannot be read.
  static func tail(_ path: String, limit: Int) -> String {
    let bytes = read(path, maximum: 1 << 20)
    return String(decoding: bytes.suffix(limit), as: UTF8.self)
  }

  static func read(_ path: String, maximum: Int) -> [UInt8] {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return [] }
    defer { close(descriptor) }
    var bytes = [UInt8](repeating: 0, count: maximum)
    let count = bytes.withUnsafeMutableBytes { Glibc.read(descriptor, $0.baseAddress, maximum) }
    return Array(bytes.prefix(max(0, count)))
  }

  static func append(_ text: String, to path: String) throws(EmbeddedPostgresError) {
    let descriptor = open(path, O_WRONLY | O_APPEND | O_CLOEXEC | O_NOFOLLOW)
    guard descriptor >= 0 else { throw failure(path) }
    defer { close(descriptor) }
    let bytes = Array(text.utf8)
    guard write(descriptor, bytes, bytes.count) == bytes.count else { throw failure(path) }
  }

  static func failure(_ path: String) -> EmbeddedPostgresError {
    EmbeddedPostgresError(.directoryNotUsable, "\(path): \(String(cString: strerror(errno)))")
  }
}

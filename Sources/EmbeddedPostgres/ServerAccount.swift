internal import Glibc

/// The account the server runs as: ourselves, or, because PostgreSQL refuses root, an unprivileged one.
///
/// A value.
struct ServerAccount: Sendable, Equatable {
  let userID: uid_t
  let groupID: gid_t
  let name: String

  /// True when the child has to give up our privileges.
  var needsPrivilegeDrop: Bool { geteuid() != userID }

  /// For a cluster that exists, its owner; as root otherwise `postgres` or, failing that, `nobody`.
  static func choose(owner: uid_t?) throws(EmbeddedPostgresError) -> ServerAccount {
    guard geteuid() == 0 else {
      return ServerAccount(userID: geteuid(), groupID: getegid(), name: "our own account")
    }
    if let owner, owner != 0, let account = account(owner) { return account }
    for name in ["postgres", "nobody"] {
      if let account = account(name) { return account }
    }
    throw EmbeddedPostgresError(
      .noUnprivilegedAccount,
      "PostgreSQL refuses to run as root and there is no account postgres or nobody; run as an ordinary user, or set "
        + "BOLRACH_DATABASE_URL")
  }

  private static func account(_ name: String) -> ServerAccount? {
    lookUp { getpwnam_r(name, $0, $1, $2, $3) }
  }

  private static func account(_ id: uid_t) -> ServerAccount? {
    lookUp { getpwuid_r(id, $0, $1, $2, $3) }
  }

  private static func lookUp(
    _ call: (
      UnsafeMutablePointer<passwd>, UnsafeMutablePointer<CChar>, Int,
      UnsafeMutablePointer<UnsafeMutablePointer<passwd>?>
    ) -> Int32
  ) -> ServerAccount? {
    var entry = passwd()
    var found: UnsafeMutablePointer<passwd>?
    // glibc suggests 1 KiB; entries of directory services are longer.
    return withUnsafeTemporaryAllocation(of: CChar.self, capacity: 16384) { buffer in
      guard call(&entry, buffer.baseAddress!, buffer.count, &found) == 0, found != nil else { return nil }
      return ServerAccount(userID: entry.pw_uid, groupID: entry.pw_gid, name: String(cString: entry.pw_name))
    }
  }

  /// Refuses a place that the account cannot get to; the server would fail there with less to go by.
  func requireReach(of directory: String) throws(EmbeddedPostgresError) {
    guard needsPrivilegeDrop else { return }
    for ancestor in FileSystem.ancestors(of: directory) {
      var status = stat()
      guard stat(ancestor, &status) == 0 else { throw FileSystem.failure(ancestor) }
      guard canSearch(status) else {
        throw EmbeddedPostgresError(
          .directoryNotReachable,
          "running as root, PostgreSQL is started as \(name), which may not enter \(ancestor); choose a data directory "
            + "outside of it, run as an ordinary user, or set BOLRACH_DATABASE_URL")
      }
    }
  }

  private func canSearch(_ status: stat) -> Bool {
    if status.st_uid == userID { return status.st_mode & S_IXUSR != 0 }
    if status.st_gid == groupID { return status.st_mode & S_IXGRP != 0 }
    return status.st_mode & S_IXOTH != 0
  }
}

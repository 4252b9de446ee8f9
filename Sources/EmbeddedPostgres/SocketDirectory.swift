internal import Glibc

/// Where the server's Unix socket goes: a directory only its owner may enter, with a path short enough.
enum SocketDirectory {
  /// `sun_path` holds 108 bytes with the terminating zero.
  static let maximumSocketPath = 107
  private static let socketName = "/.s.PGSQL.5432"

  static func fits(_ directory: String) -> Bool {
    directory.utf8.count + socketName.utf8.count <= maximumSocketPath
  }

  /// `<cluster>/socket`, or, when that is too long, a directory named after the cluster in XDG_RUNTIME_DIR or /tmp.
  static func prepare(in cluster: String, account: ServerAccount) throws(EmbeddedPostgresError) -> String {
    let own = cluster + "/socket"
    let name = "bolrach-" + fingerprint(cluster)
    let runtime = getenv("XDG_RUNTIME_DIR").map { String(cString: $0) }
    // The runtime directory belongs to us; an account we start the server as may not enter it.
    let candidates =
      [own] + [account.needsPrivilegeDrop ? nil : runtime, "/tmp"].compactMap { $0.map { "\($0)/\(name)" } }
    guard let path = candidates.first(where: fits) else {
      throw EmbeddedPostgresError(.directoryNotUsable, "no directory with a short enough path for the socket")
    }
    try FileSystem.claimDirectory(path, for: account)
    return path
  }

  /// FNV-1a, 64 bits: only to tell clusters apart.
  private static func fingerprint(_ text: String) -> String {
    let hash = text.utf8.reduce(0xcbf2_9ce4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
    return String(hash, radix: 16)
  }
}

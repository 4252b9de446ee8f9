internal import Glibc

/// The directory that holds `postgres` and `initdb`, and their major version.
///
/// A value; found on PATH or where Debian and its relatives put them.
struct ServerBinaries: Sendable {
  static let minimumVersion = 15

  let directory: String
  let version: Int

  func path(_ tool: String) -> String { directory + "/" + tool }

  /// The newest binaries of at least `minimumVersion`; of exactly `version` when a cluster already has one.
  static func find(version: Int?) throws(EmbeddedPostgresError) -> ServerBinaries {
    let candidates = (packaged() + onPath()).filter { $0.version >= minimumVersion }
    if let version {
      if let match = candidates.first(where: { $0.version == version }) { return match }
      throw EmbeddedPostgresError(
        .binariesNotFound,
        "the cluster was made by PostgreSQL \(version), whose server binaries are not installed; install that version "
          + "or set BOLRACH_DATABASE_URL")
    }
    guard let newest = candidates.max(by: { $0.version < $1.version }) else {
      throw EmbeddedPostgresError(
        .binariesNotFound,
        "no PostgreSQL server (\(minimumVersion) or newer) found; install postgresql or set BOLRACH_DATABASE_URL")
    }
    return newest
  }

  private static func packaged() -> [ServerBinaries] {
    let root = "/usr/lib/postgresql"
    return entries(of: root).compactMap { name in
      Int(name).flatMap { binaries(in: "\(root)/\(name)/bin", version: $0) }
    }
  }

  /// The version is asked of the binary: a directory on PATH does not tell.
  private static func onPath() -> [ServerBinaries] {
    let path = getenv("PATH").map { String(cString: $0) } ?? ""
    return path.split(separator: ":").compactMap { directory in
      let directory = String(directory)
      guard directory.hasPrefix("/"), access(directory + "/postgres", X_OK) == 0 else { return nil }
      guard let output = try? ChildProcess.output(of: directory + "/postgres", ["--version"]) else { return nil }
      return majorVersion(in: output).flatMap { binaries(in: directory, version: $0) }
    }
  }

  /// `postgres (PostgreSQL) 15.3 (Debian ...)` -> 15.
  static func majorVersion(in output: String) -> Int? {
    guard let range = output.firstRange(of: "(PostgreSQL) ") else { return nil }
    return Int(output[range.upperBound...].prefix { $0.isASCII && $0.isNumber })
  }

  private static func binaries(in directory: String, version: Int) -> ServerBinaries? {
    let isComplete = ["postgres", "initdb"].allSatisfy { access("\(directory)/\($0)", X_OK) == 0 }
    return isComplete ? ServerBinaries(directory: directory, version: version) : nil
  }

  private static func entries(of path: String) -> [String] { DirectoryListing.names(in: path) }
}

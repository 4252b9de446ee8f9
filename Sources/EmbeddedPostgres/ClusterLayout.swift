internal import Glibc

/// The paths of one cluster and the account that owns them.
///
/// A value made when a cluster is started.
struct ClusterLayout: Sendable {
  let directory: String
  let account: ServerAccount

  var data: String { directory + "/data" }
  /// Where a cluster is made; renamed to `data` once complete, so that `data` is never half a cluster.
  var unfinishedData: String { directory + "/data.unfinished" }
  var log: String { directory + "/log" }
  /// What the server says before its log file is open.
  var startLog: String { directory + "/start.log" }

  /// Makes the directory, 0700 and the account's, and checks that the account gets there.
  static func prepare(_ configuration: EmbeddedConfiguration) throws(EmbeddedPostgresError) -> ClusterLayout {
    try FileSystem.makeDirectory(try FileSystem.absolute(configuration.directory), mode: 0o700)
    guard let resolved = realpath(configuration.directory, nil) else {
      throw FileSystem.failure(configuration.directory)
    }
    defer { free(resolved) }
    let directory = String(cString: resolved)
    let account = try ServerAccount.choose(owner: FileSystem.status(directory + "/data")?.st_uid)
    try account.requireReach(of: directory)
    let layout = ClusterLayout(directory: directory, account: account)
    try FileSystem.claimDirectory(directory, for: account)
    try FileSystem.claimDirectory(layout.log, for: account)
    return layout
  }

  /// The major version of the cluster, or nil when there is none yet.
  var version: Int? {
    let text = String(decoding: FileSystem.read(data + "/PG_VERSION", maximum: 16), as: UTF8.self)
    return Int(text.prefix { $0.isNumber })
  }

  /// A command that runs as the account and, where `setpriv` is at hand, is told to stop when the calling thread ends.
  func command(_ program: String, _ arguments: [String], input: String = "/dev/null") -> ChildProcess.Command {
    var command = ChildProcess.Command(
      program: program, arguments: arguments, directory: directory, input: input, output: startLog)
    let setpriv = "/usr/bin/setpriv"
    guard access(setpriv, X_OK) == 0 else { return command }
    var options = ["--pdeathsig", "INT"]
    if account.needsPrivilegeDrop {
      options += ["--reuid", "\(account.userID)", "--regid", "\(account.groupID)", "--clear-groups"]
    }
    command.program = setpriv
    command.arguments = options + ["--", program] + arguments
    return command
  }
}

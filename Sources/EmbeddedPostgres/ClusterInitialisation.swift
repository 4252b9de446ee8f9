internal import Glibc

/// Makes a new cluster with the product's database in it. Blocks for a second or two.
struct ClusterInitialisation {
  let layout: ClusterLayout
  let binaries: ServerBinaries
  let configuration: EmbeddedConfiguration

  /// A cluster that an interrupted run left half-made is thrown away and made again.
  func run() throws(EmbeddedPostgresError) {
    try requirePrivilegeDrop()
    _ = ChildProcess.wait(
      for: try ChildProcess.spawn(layout.command("/bin/rm", ["-rf", "--", layout.unfinishedData])))
    try initialise()
    try FileSystem.append(Self.settings(configuration), to: layout.unfinishedData + "/postgresql.conf")
    try createDatabase()
    guard rename(layout.unfinishedData, layout.data) == 0 else { throw FileSystem.failure(layout.data) }
  }

  private func requirePrivilegeDrop() throws(EmbeddedPostgresError) {
    guard layout.account.needsPrivilegeDrop, access("/usr/bin/setpriv", X_OK) != 0 else { return }
    throw EmbeddedPostgresError(
      .noUnprivilegedAccount,
      "PostgreSQL refuses to run as root and setpriv (util-linux), which would change the account, is missing; run as an "
        + "ordinary user, or set BOLRACH_DATABASE_URL")
  }

  /// `trust` is safe here: the only way in is a socket in a directory that only the account (and root) may enter.
  private func initialise() throws(EmbeddedPostgresError) {
    var arguments = [
      "--pgdata", layout.unfinishedData, "--username", configuration.userName, "--auth", "trust",
      "--encoding", "UTF8", "--locale", "C", "--no-instructions",
    ]
    switch configuration.durability {
    case .full: arguments.append("--data-checksums")
    case .none: arguments.append("--no-sync")
    }
    try runToSuccess(binaries.path("initdb"), arguments)
  }

  /// In single-user mode: no server has to be started and stopped for it.
  private func createDatabase() throws(EmbeddedPostgresError) {
    let script = layout.directory + "/create-database.sql"
    let descriptor = open(script, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0o644)
    guard descriptor >= 0 else { throw FileSystem.failure(script) }
    let statement = Array("CREATE DATABASE \(Self.quoted(configuration.databaseName))\n".utf8)
    let written = write(descriptor, statement, statement.count)
    close(descriptor)
    defer { unlink(script) }
    guard written == statement.count else { throw FileSystem.failure(script) }
    try runToSuccess(
      binaries.path("postgres"), ["--single", "-D", layout.unfinishedData, "-c", "exit_on_error=on", "template1"],
      input: script)
  }

  private func runToSuccess(_ program: String, _ arguments: [String], input: String = "/dev/null")
    throws(EmbeddedPostgresError)
  {
    let child = try ChildProcess.spawn(layout.command(program, arguments, input: input))
    guard ChildProcess.wait(for: child) == 0 else {
      throw EmbeddedPostgresError(
        .initialisationFailed,
        "the database cluster could not be made: " + FileSystem.tail(layout.startLog, limit: 600))
    }
  }

  static func quoted(_ name: String) -> String {
    "\"" + name.replacing("\"", with: "\"\"") + "\""
  }

  /// Appended to `postgresql.conf`, where an operator may change it.
  static func settings(_ configuration: EmbeddedConfiguration) -> String {
    """

    # Set by Bolrach when the cluster was made; change what you like.
    max_connections = \(configuration.maximumConnections)
    shared_buffers = 128MB
    work_mem = 8MB
    maintenance_work_mem = 64MB
    max_wal_size = 1GB
    wal_compression = on
    huge_pages = off
    jit = off
    # Tables that are written once per delivery grow fast: look after them earlier than by default.
    autovacuum_vacuum_insert_scale_factor = 0.05
    autovacuum_analyze_scale_factor = 0.02
    timezone = 'UTC'
    log_timezone = 'UTC'
    # A week of logs at most, one file per weekday.
    log_filename = 'postgres-%a.log'
    log_rotation_age = 1d
    log_rotation_size = 0
    log_truncate_on_rotation = on
    # Statements, parameters and details quote what customers sent.
    log_error_verbosity = terse
    log_min_error_statement = panic
    log_parameter_max_length = 0
    log_parameter_max_length_on_error = 0

    """
  }
}

internal import CLinux
internal import Glibc

/// Starts programs with nothing of ours: no descriptors, no signal settings, no environment, a session of their own.
enum ChildProcess {
  struct Command {
    var program: String
    var arguments: [String]
    /// Also the child's working directory: ours may be closed to its account.
    var directory: String
    var input = "/dev/null"
    /// Standard output and error; truncated first.
    var output = "/dev/null"
  }

  /// Nothing of ours, in particular no PG* variables and no locale.
  private static let environment = ["PATH=/usr/local/bin:/usr/bin:/bin", "LC_ALL=C", "TZ=UTC"]

  /// The child's id. It is in a session of its own, so that a Ctrl-C meant for us does not reach it, and all its signals
  /// are as a shell would leave them.
  static func spawn(_ command: Command) throws(EmbeddedPostgresError) -> pid_t {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, 0, command.input, O_RDONLY, 0)
    // Links are not followed: as root we write into a directory of another account.
    posix_spawn_file_actions_addopen(&actions, 1, command.output, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW, 0o600)
    posix_spawn_file_actions_adddup2(&actions, 1, 2)
    posix_spawn_file_actions_addclosefrom_np(&actions, 3)
    posix_spawn_file_actions_addchdir_np(&actions, command.directory)

    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    var none = sigset_t()
    var all = sigset_t()
    sigemptyset(&none)
    sigfillset(&all)
    posix_spawnattr_setsigmask(&attributes, &none)
    posix_spawnattr_setsigdefault(&attributes, &all)
    let newSession = Int16(0x80)  // POSIX_SPAWN_SETSID, hidden behind _GNU_SOURCE.
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF) | newSession)

    var child = pid_t()
    let failure = withStrings([command.program] + command.arguments) { arguments in
      withStrings(environment) { environment in
        posix_spawn(&child, command.program, &actions, &attributes, arguments, environment)
      }
    }
    guard failure == 0 else {
      throw EmbeddedPostgresError(.startFailed, "\(command.program): \(String(cString: strerror(failure)))")
    }
    return child
  }

  /// Blocks until the child has ended; 0 for success.
  static func wait(for child: pid_t) -> Int32 {
    var status: Int32 = 0
    while waitpid(child, &status, 0) < 0 && errno == EINTR {}
    return status
  }

  /// Runs a program that ends by itself and returns what it printed, at most 64 KiB.
  static func output(of program: String, _ arguments: [String]) throws(EmbeddedPostgresError) -> String {
    var template = Array("/tmp/bolrach-output-XXXXXX".utf8CString)
    let descriptor = mkstemp(&template)
    guard descriptor >= 0 else { throw FileSystem.failure("/tmp") }
    defer {
      unlink(template)
      close(descriptor)
    }
    let path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    let child = try spawn(Command(program: program, arguments: arguments, directory: "/", output: path))
    _ = wait(for: child)
    return String(decoding: FileSystem.read(path, maximum: 65536), as: UTF8.self)
  }
}

private func withStrings<Result>(
  _ strings: [String], _ body: (UnsafePointer<UnsafeMutablePointer<CChar>?>) -> Result
) -> Result {
  let copies = strings.map { strdup($0) } + [nil]
  defer { for copy in copies { free(copy) } }
  return copies.withUnsafeBufferPointer { body($0.baseAddress!) }
}

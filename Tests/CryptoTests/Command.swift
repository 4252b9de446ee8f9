import Crypto
import Glibc

/// Runs other programs, whose judgement the tests ask for.
enum Command {
  struct Failure: Error { let number: Int32 }

  static func exists(_ name: String) -> Bool {
    let path = getenv("PATH").map { String(cString: $0) } ?? ""
    return path.split(separator: ":").contains { access("\($0)/\(name)", X_OK) == 0 }
  }

  static func succeeds(_ name: String, _ arguments: [String]) -> Bool { (try? run(name, arguments)) == 0 }

  /// The exit status; output is dropped.
  static func run(_ name: String, _ arguments: [String]) throws -> Int32 {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    for descriptor: Int32 in 0...2 { posix_spawn_file_actions_addopen(&actions, descriptor, "/dev/null", O_RDWR, 0) }
    var words: [UnsafeMutablePointer<CChar>?] = ([name] + arguments).map { strdup($0) } + [nil]
    defer { for word in words { free(word) } }
    var process: pid_t = 0
    let failure = posix_spawnp(&process, name, &actions, nil, &words, environ)
    guard failure == 0 else { throw Failure(number: failure) }
    var status: Int32 = 0
    while waitpid(process, &status, 0) < 0 {
      guard errno == EINTR else { throw Failure(number: errno) }
    }
    return status
  }
}

/// A directory of one test, removed with it.
final class TemporaryFiles {
  private let directory: String
  private var names: Set<String> = []

  init() throws {
    directory = "/tmp/bolrach-crypto-\(getpid())-\(SecureRandom.base62(length: 12))"
    guard mkdir(directory, 0o700) == 0 else { throw Command.Failure(number: errno) }
  }

  deinit {
    for name in names { unlink("\(directory)/\(name)") }
    rmdir(directory)
  }

  /// The file's path.
  func write(_ bytes: [UInt8], as name: String) throws -> String {
    let path = "\(directory)/\(name)"
    let descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
    guard descriptor >= 0 else { throw Command.Failure(number: errno) }
    defer { close(descriptor) }
    names.insert(name)
    guard Glibc.write(descriptor, bytes, bytes.count) == bytes.count else { throw Command.Failure(number: errno) }
    return path
  }
}

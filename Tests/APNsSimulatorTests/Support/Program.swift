import Glibc

/// Runs another program to its end, on a thread of its own: a wait must not hold one of the few threads that run tasks.
struct Program: Sendable {
  let path: String
  var arguments: [String] = []
  var input = ""

  struct Output: Sendable {
    let status: Int32
    let text: String
    let errors: String
  }

  /// Standard input and output are files in a directory of this call's own.
  func run() async -> Output {
    await withCheckedContinuation { continuation in
      let job = Job(program: self, continuation: continuation)
      var thread = pthread_t()
      let status = pthread_create(&thread, nil, Job.start, Unmanaged.passRetained(job).toOpaque())
      precondition(status == 0, "no thread left")
      pthread_detach(thread)
    }
  }

  /// Immutable, handed to one thread.
  private final class Job: Sendable {
    private let program: Program
    private let continuation: CheckedContinuation<Output, Never>

    init(program: Program, continuation: CheckedContinuation<Output, Never>) {
      self.program = program
      self.continuation = continuation
    }

    static let start: @convention(c) (UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? = { context in
      let job = Unmanaged<Job>.fromOpaque(context!).takeRetainedValue()
      job.continuation.resume(returning: job.program.runBlocking())
      return nil
    }
  }

  private func runBlocking() -> Output {
    let directory = TestFiles.makeDirectory()
    defer { TestFiles.remove(directory, files: ["in", "out", "errors"]) }
    TestFiles.write(Array(input.utf8), to: directory + "/in")
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, 0, directory + "/in", O_RDONLY, 0)
    posix_spawn_file_actions_addopen(&actions, 1, directory + "/out", O_WRONLY | O_CREAT, 0o600)
    posix_spawn_file_actions_addopen(&actions, 2, directory + "/errors", O_WRONLY | O_CREAT, 0o600)
    var words: [UnsafeMutablePointer<CChar>?] = ([path] + arguments).map { strdup($0) } + [nil]
    defer { words.forEach { free($0) } }
    var child = pid_t()
    let failure = posix_spawn(&child, path, &actions, nil, &words, environ)
    guard failure == 0 else { return Output(status: -1, text: "", errors: String(cString: strerror(failure))) }
    var status: Int32 = 0
    while waitpid(child, &status, 0) < 0 && errno == EINTR {}
    return Output(
      status: status, text: TestFiles.read(directory + "/out"), errors: TestFiles.read(directory + "/errors"))
  }
}

/// The few file operations that tests with other programs need.
enum TestFiles {
  static func makeDirectory() -> String {
    var template = Array("/tmp/apns-simulator-XXXXXX".utf8CString)
    precondition(mkdtemp(&template) != nil, "no directory in /tmp")
    return String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  static func write(_ bytes: [UInt8], to path: String) {
    let file = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
    precondition(file >= 0 && Glibc.write(file, bytes, bytes.count) == bytes.count, "cannot write \(path)")
    close(file)
  }

  static func read(_ path: String) -> String {
    let file = open(path, O_RDONLY)
    guard file >= 0 else { return "" }
    defer { close(file) }
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 65536)
    while case let count = Glibc.read(file, &buffer, buffer.count), count > 0 { bytes += buffer[..<count] }
    return String(decoding: bytes, as: UTF8.self)
  }

  static func remove(_ directory: String, files: [String]) {
    for file in files { unlink(directory + "/" + file) }
    rmdir(directory)
  }
}

internal import Glibc
internal import PushServer

/// The command. Everything it does is in `PushServer`.
@main
enum Bolrach {
  static func main() async {
    guard let command = Command(arguments: Array(CommandLine.arguments.dropFirst())) else {
      fputs(Command.usage + "\n", stderr)
      exit(2)
    }
    exit(await command.run(environment: environment()))
  }

  /// As it was when the process began.
  private static func environment() -> [String: String] {
    var values: [String: String] = [:]
    var entry = environ
    while let text = entry.pointee {
      let pair = String(cString: text)
      if let equals = pair.firstIndex(of: "=") {
        values[String(pair[..<equals])] = String(pair[pair.index(after: equals)...])
      }
      entry += 1
    }
    return values
  }
}

internal import Glibc
internal import PushServer
internal import ServiceKit

/// The command. Everything it does is in `PushServer`.
@main
enum Bolrach {
  /// On the main thread, so that the signals are blocked in the first thread and therefore in all others.
  @MainActor static func main() async {
    let signals = StopSignals()
    guard let command = Command(arguments: Array(CommandLine.arguments.dropFirst())) else {
      exit(Command.refuseArguments())
    }
    exit(await command.run(environment: environment(), signals: signals))
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

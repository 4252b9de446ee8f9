/// Reads settings from environment variables, once, and collects everything that is wrong with them, unknown names among it, so that
/// an operator mends all of it at a time.
///
/// A value used while starting, by one thread; ends with ``finish()``.
package struct SettingsReader {
  private let environment: [String: String]
  private let prefix: String
  private var known: Set<String> = []
  private var problems: [String] = []

  /// Variables that begin with `prefix` and are never asked for are problems.
  package init(environment: [String: String], prefix: String) {
    self.environment = environment
    self.prefix = prefix
  }

  /// An empty variable counts as unset.
  package mutating func string(_ name: String) -> String? {
    known.insert(name)
    guard let value = environment[name], !value.isEmpty else { return nil }
    return value
  }

  package mutating func secret(_ name: String) -> Secret<String>? { string(name).map(Secret.init) }

  package mutating func integer(_ name: String, in range: ClosedRange<Int>, default standard: Int) -> Int {
    guard let text = string(name) else { return standard }
    guard let value = Int(text), range.contains(value) else {
      problems.append("\(name) must be a whole number from \(range.lowerBound) to \(range.upperBound)")
      return standard
    }
    return value
  }

  package mutating func choice<Value>(_ name: String, _ values: KeyValuePairs<String, Value>, default standard: Value)
    -> Value
  {
    guard let text = string(name) else { return standard }
    guard let value = values.first(where: { $0.key == text })?.value else {
      problems.append("\(name) must be one of \(values.map(\.key).joined(separator: ", "))")
      return standard
    }
    return value
  }

  /// Reads a setting in any other form; `expected` completes "must be".
  package mutating func value<Value>(_ name: String, expected: String, _ read: (String) -> Value?) -> Value? {
    guard let text = string(name) else { return nil }
    guard let value = read(text) else {
      problems.append("\(name) must be \(expected)")
      return nil
    }
    return value
  }

  package mutating func report(_ problem: String) { problems.append(problem) }

  /// Throws everything that is wrong.
  package consuming func finish() throws(SettingsError) {
    for name in environment.keys.sorted() where name.hasPrefix(prefix) && !known.contains(name) {
      let nearest = known.min { Self.distance($0, name) < Self.distance($1, name) }
      problems.append("\(name) is not a setting" + (nearest.map { "; did you mean \($0)?" } ?? ""))
    }
    guard problems.isEmpty else { throw SettingsError(problems: problems) }
  }

  /// How many characters must be changed, added or dropped to get from one name to the other.
  private static func distance(_ left: String, _ right: String) -> Int {
    let left = Array(left.utf8)
    let right = Array(right.utf8)
    var previous = Array(0...right.count)
    for (row, byte) in left.enumerated() {
      var current = [row + 1]
      for (column, other) in right.enumerated() {
        current.append(min(previous[column] + (byte == other ? 0 : 1), previous[column + 1] + 1, current[column] + 1))
      }
      previous = current
    }
    return previous[right.count]
  }
}

/// Everything that is wrong with the settings. Safe to show: it names variables and never their values.
package struct SettingsError: Error, Sendable, Hashable, CustomStringConvertible {
  package let problems: [String]
  package var description: String { problems.joined(separator: "\n") }
}

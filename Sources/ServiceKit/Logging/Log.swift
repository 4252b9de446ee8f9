/// Writes one JSON object a line: time, level, event, and what belongs to it.
///
/// A value that is handed to whoever logs; its sink is shared. Lines go to the sink as whole lines, from any thread. An event is a
/// name (`worker.rescued`), never a sentence with values in it.
package struct Log: Sendable {
  private let level: LogLevel
  private let sink: any LogSink
  private let context: [(String, LogValue)]
  private let limiter: LogLimiter

  package init(level: LogLevel, sink: any LogSink) {
    self.init(level: level, sink: sink, context: [], limiter: LogLimiter())
  }

  private init(level: LogLevel, sink: any LogSink, context: [(String, LogValue)], limiter: LogLimiter) {
    self.level = level
    self.sink = sink
    self.context = context
    self.limiter = limiter
  }

  /// Keeps nothing.
  package static let silent = Log(level: .error, sink: NoSink())

  /// The same log, with these values in each line.
  package func with(_ values: KeyValuePairs<String, LogValue>) -> Log {
    Log(level: level, sink: sink, context: context + values.map { ($0.key, $0.value) }, limiter: limiter)
  }

  package func debug(_ event: StaticString, _ values: KeyValuePairs<String, LogValue> = [:]) {
    write(.debug, event, values, suppressed: 0)
  }

  package func info(_ event: StaticString, _ values: KeyValuePairs<String, LogValue> = [:]) {
    write(.info, event, values, suppressed: 0)
  }

  package func warning(_ event: StaticString, _ values: KeyValuePairs<String, LogValue> = [:]) {
    write(.warning, event, values, suppressed: 0)
  }

  package func error(_ event: StaticString, _ values: KeyValuePairs<String, LogValue> = [:]) {
    write(.error, event, values, suppressed: 0)
  }

  /// At most one line a second for an event; the next one says how many were left out. For what can happen thousands of times at once.
  package func sparse(_ level: LogLevel, _ event: StaticString, _ values: KeyValuePairs<String, LogValue> = [:]) {
    guard level >= self.level, let suppressed = limiter.admit(event) else { return }
    write(level, event, values, suppressed: suppressed)
  }

  private func write(
    _ level: LogLevel, _ event: StaticString, _ values: KeyValuePairs<String, LogValue>, suppressed: Int
  ) {
    guard level >= self.level else { return }
    var line = LogLine(level: level, event: event)
    for (name, value) in context { line.append(name, value) }
    for (name, value) in values { line.append(name, value) }
    if suppressed > 0 { line.append("suppressed", .integer(suppressed)) }
    sink.write(line.finish())
  }

  private struct NoSink: LogSink {
    func write(_ line: [UInt8]) {}
  }
}

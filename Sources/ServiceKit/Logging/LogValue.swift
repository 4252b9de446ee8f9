/// A value in a log line. Texts are cut, so that no line grows without bound; a ``Secret`` has no way in.
package enum LogValue: Sendable, Hashable, ExpressibleByStringLiteral, ExpressibleByIntegerLiteral,
  ExpressibleByFloatLiteral, ExpressibleByBooleanLiteral
{
  case text(String)
  case integer(Int64)
  case number(Double)
  case truth(Bool)

  package init(stringLiteral value: String) { self = .text(value) }
  package init(integerLiteral value: Int64) { self = .integer(value) }
  package init(floatLiteral value: Double) { self = .number(value) }
  package init(booleanLiteral value: Bool) { self = .truth(value) }

  package static func text(describing value: some CustomStringConvertible) -> LogValue { .text(value.description) }
  package static func integer(_ value: Int) -> LogValue { .integer(Int64(value)) }

  /// Bytes of a text in a line.
  static let maximumText = 512
}

/// How much a line matters.
package enum LogLevel: Int, Sendable, Hashable, Comparable, CaseIterable {
  case debug, info, warning, error

  package static func < (left: LogLevel, right: LogLevel) -> Bool { left.rawValue < right.rawValue }

  package var word: String {
    switch self {
    case .debug: "debug"
    case .info: "info"
    case .warning: "warning"
    case .error: "error"
    }
  }
}

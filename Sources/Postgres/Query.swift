/// A statement with its bound values.
///
/// A value, written as a string literal. An interpolation becomes a parameter (`$1`, `$2`, ...) and never text, so a value
/// cannot change the statement; printing shows the text with its placeholders and never the values. The only ways to
/// add text are another `Query` (`\(fragment:)`) and a compile-time constant (`\(unescaped:)`).
package struct Query: Sendable, ExpressibleByStringInterpolation, CustomStringConvertible, CustomDebugStringConvertible,
  CustomReflectable
{
  /// The text between the placeholders: always one more than there are binds.
  private var texts: [String]
  private(set) var binds: BindList

  package init(stringLiteral value: String) {
    texts = [value]
    binds = BindList()
  }

  package init(stringInterpolation: StringInterpolation) {
    texts = stringInterpolation.texts
    binds = stringInterpolation.binds
  }

  package var description: String { "Query(\(sql))" }
  package var debugDescription: String { description }
  package var customMirror: Mirror { Mirror(self, children: [:]) }

  /// The statement's text with numbered placeholders.
  package var sql: String {
    guard texts.count > 1 else { return texts[0] }
    var sql = ""
    sql.reserveCapacity(texts.reduce(0) { $0 + $1.utf8.count + 3 })
    for (index, text) in texts.enumerated() {
      if index > 0 { sql += "$\(index)" }
      sql += text
    }
    return sql
  }

  package struct StringInterpolation: StringInterpolationProtocol {
    fileprivate var texts: [String] = [""]
    fileprivate var binds = BindList()

    package init(literalCapacity: Int, interpolationCount: Int) {
      texts.reserveCapacity(interpolationCount + 1)
    }

    package mutating func appendLiteral(_ literal: String) {
      texts[texts.count - 1] += literal
    }

    package mutating func appendInterpolation<Value: PostgresEncodable>(_ value: Value) {
      texts.append("")
      binds.append(value)
    }

    /// `nil` is bound as a NULL of the value's type.
    package mutating func appendInterpolation<Value: PostgresEncodable>(_ value: Value?) {
      texts.append("")
      binds.append(value)
    }

    package mutating func appendInterpolation<Element: PostgresEncodable>(_ array: [Element]) {
      texts.append("")
      binds.append(array: array)
    }

    package mutating func appendInterpolation<Element: PostgresEncodable>(_ array: [Element]?) {
      texts.append("")
      binds.append(array: array)
    }

    /// `nil` elements are NULL.
    package mutating func appendInterpolation<Element: PostgresEncodable>(_ array: [Element?]) {
      texts.append("")
      binds.append(array: array)
    }

    /// Embeds another query, text and binds; its placeholders are numbered on.
    package mutating func appendInterpolation(fragment: Query) {
      texts[texts.count - 1] += fragment.texts[0]
      texts.append(contentsOf: fragment.texts.dropFirst())
      binds.append(contentsOf: fragment.binds)
    }

    /// Adds text as it stands: for names of tables and columns, which cannot be parameters. Only constants of the
    /// program fit, never a value that came from outside.
    package mutating func appendInterpolation(unescaped text: StaticString) {
      texts[texts.count - 1] += text.description
    }
  }
}

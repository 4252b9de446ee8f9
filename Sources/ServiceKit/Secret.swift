/// A value that must never reach a log, an error or an answer: printing, interpolating, dumping and mirroring it
/// show only `<secret>`.
///
/// A plain value; whoever holds it may read `exposed`, which is the word to search for in a review.
package struct Secret<Value: Sendable>: Sendable, CustomStringConvertible, CustomDebugStringConvertible,
  CustomReflectable
{
  private let value: Value

  package init(_ value: Value) { self.value = value }

  package var exposed: Value { value }
  package var description: String { "<secret>" }
  package var debugDescription: String { "<secret>" }
  package var customMirror: Mirror { Mirror(self, children: [:]) }
}

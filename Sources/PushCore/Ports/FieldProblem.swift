/// One thing wrong with one field of what a caller sent; all of a request's problems are answered together.
///
/// A plain value. `detail` is a sentence for a person and never repeats a secret or a long text.
package struct FieldProblem: Error, Hashable, Sendable {
  /// RFC 6901: `/apns/priority`.
  package let pointer: String
  /// Stable, for programs: `too_long`, `contradiction`.
  package let code: String
  package let detail: String

  package init(pointer: String, code: String, detail: String) {
    self.pointer = pointer
    self.code = code
    self.detail = detail
  }
}

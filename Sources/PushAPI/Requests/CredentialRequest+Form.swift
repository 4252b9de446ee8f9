internal import HTTP
internal import JSON
internal import PushCore

extension CredentialRequest {
  /// The same fields as in JSON, each a part; the file's name and type are of no matter. A key that is not UTF-8 is kept as it
  /// is for the inspector to name.
  init(_ form: MultipartForm) throws(APIProblem) {
    let problems = ProblemList()
    for part in form.parts where !Self.known.contains(part.name) {
      problems.report(
        JSONPointer.root.appending(named: part.name).text, "unknown_field", "There is no such field.")
    }
    teamID = Self.text("team_id", FieldLimit.shortWord, form, problems)
    keyID = Self.text("key_id", FieldLimit.shortWord, form, problems)
    bundleID = Self.text("bundle_id", FieldLimit.identifier, form, problems)
    p8 = Self.bytes("p8", FieldLimit.p8, form, problems)
    guard problems.isEmpty else { throw APIProblem.invalid(problems.problems) }
  }

  private static func text(
    _ name: String, _ length: ClosedRange<Int>, _ form: MultipartForm, _ problems: ProblemList
  ) -> String {
    guard let text = String(validating: bytes(name, length, form, problems), as: UTF8.self), !text.contains("\0") else {
      problems.report("/\(name)", "invalid_text", "This is text in UTF-8 without U+0000.")
      return "?"
    }
    return text
  }

  private static func bytes(
    _ name: String, _ length: ClosedRange<Int>, _ form: MultipartForm, _ problems: ProblemList
  ) -> [UInt8] {
    let parts = form.parts.filter { $0.name == name }
    guard let part = parts.first else {
      problems.report("/\(name)", "required", "This field is missing.")
      return []
    }
    if parts.count > 1 { problems.report("/\(name)", "duplicate", "This field is given once.") }
    if part.body.count > length.upperBound {
      problems.report("/\(name)", "too_long", "At most \(length.upperBound) bytes; this has \(part.body.count).")
    }
    if part.body.count < length.lowerBound { problems.report("/\(name)", "empty", "An empty text says nothing here.") }
    return part.body
  }
}

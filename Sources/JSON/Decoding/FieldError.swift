/// One thing wrong with one field. A plain value, safe to answer with: `detail` never repeats a value that was sent.
package struct FieldError: Hashable, Sendable {
  /// A stable word for programs. Whoever decodes may add words of its own.
  package struct Code: RawRepresentable, Hashable, Sendable {
    package let rawValue: String
    package init(rawValue: String) { self.rawValue = rawValue }

    package static let required = Code(rawValue: "required")
    package static let wrongType = Code(rawValue: "wrong_type")
    package static let tooShort = Code(rawValue: "too_short")
    package static let tooLong = Code(rawValue: "too_long")
    package static let tooFew = Code(rawValue: "too_few")
    package static let tooMany = Code(rawValue: "too_many")
    package static let outOfRange = Code(rawValue: "out_of_range")
    package static let notAnInteger = Code(rawValue: "not_an_integer")
    package static let invalid = Code(rawValue: "invalid")
    package static let unknownValue = Code(rawValue: "unknown_value")
    package static let unknownField = Code(rawValue: "unknown_field")
  }

  /// RFC 6901.
  package let pointer: String
  package let code: Code
  /// A sentence about the field that completes "the field…": `must be a string, not a number`.
  package let detail: String

  package init(pointer: String, code: Code, detail: String) {
    self.pointer = pointer
    self.code = code
    self.detail = detail
  }
}

/// Everything wrong with one document, in the order in which it was looked at.
package struct FieldErrors: Error, Hashable, Sendable {
  package let errors: [FieldError]
  /// More was wrong than is listed.
  package let isTruncated: Bool

  /// Enough for a person to mend; a list of 20 000 wrong entries needs not as many answers.
  package static let most = 100
}

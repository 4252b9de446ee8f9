/// Why a text is not a JSON document that we take. A plain value, safe to show: it never repeats the document's content
/// other than member names in `pointer`.
package struct JSONError: Error, Hashable, Sendable, CustomStringConvertible {
  package enum Code: String, Sendable, CaseIterable {
    case empty
    case tooLarge = "too_large"
    case tooDeep = "too_deep"
    case byteOrderMark = "byte_order_mark"
    case invalidUTF8 = "invalid_utf8"
    case controlCharacter = "control_character"
    case unterminatedString = "unterminated_string"
    case invalidEscape = "invalid_escape"
    case loneSurrogate = "lone_surrogate"
    case nulCharacter = "nul_character"
    case invalidNumber = "invalid_number"
    case numberTooLong = "number_too_long"
    case invalidLiteral = "invalid_literal"
    case expectedValue = "expected_value"
    case expectedName = "expected_name"
    case expectedColon = "expected_colon"
    case expectedSeparator = "expected_separator"
    case unexpectedEnd = "unexpected_end"
    case trailingContent = "trailing_content"
    case duplicateName = "duplicate_name"
    case outOfMemory = "out_of_memory"
  }

  package let code: Code
  /// Bytes before the place, in the text as it was given.
  package let offset: Int
  /// The value in which it happened (for ``Code/duplicateName``: the second member's); `nil` when it would be too long.
  package private(set) var pointer: JSONPointer?

  init(_ code: Code, at offset: Int) {
    self.code = code
    self.offset = offset
    pointer = .root
  }

  /// The same error seen from the value around it.
  func within(_ token: JSONPointer.Token) -> JSONError {
    var outer = self
    outer.pointer = pointer.flatMap { $0.prefixed(by: token) }
    return outer
  }

  package var description: String { "\(explanation) (byte \(offset))" }

  private var explanation: String {
    switch code {
    case .empty: "there is no JSON in it"
    case .tooLarge: "the JSON is larger than allowed"
    case .tooDeep: "the JSON is nested deeper than allowed"
    case .byteOrderMark: "the JSON begins with a byte order mark"
    case .invalidUTF8: "the JSON is not valid UTF-8"
    case .controlCharacter: "a string contains a control character that is not escaped"
    case .unterminatedString: "a string does not end"
    case .invalidEscape: "a string contains an invalid escape"
    case .loneSurrogate: "a string contains half of a surrogate pair"
    case .nulCharacter: "a string contains the character U+0000"
    case .invalidNumber: "a number is not written as JSON asks"
    case .numberTooLong: "a number has more digits than allowed"
    case .invalidLiteral: "only true, false and null may stand without quotes"
    case .expectedValue: "a value is missing"
    case .expectedName: "a member name in double quotes is missing"
    case .expectedColon: "a colon is missing after a member name"
    case .expectedSeparator: "a comma or a closing bracket is missing"
    case .unexpectedEnd: "the JSON ends too early"
    case .trailingContent: "something follows the JSON value"
    case .duplicateName: "a member name occurs twice in one object"
    case .outOfMemory: "there is not enough memory for the JSON"
    }
  }
}

/// A number as it is written in a document: `1.0` stays `1.0`, and `1e400` can be carried though no `Double` holds it.
package struct JSONNumber: Hashable, Sendable, CustomStringConvertible {
  package let text: String

  init(checked text: String) { self.text = text }

  /// `nil` unless `text` is a number in JSON's grammar.
  package init?(_ text: String) {
    var text = text
    guard text.withUTF8(Self.isWellFormed) else { return nil }
    self.text = text
  }

  package init(_ value: some FixedWidthInteger) { text = String(value) }

  /// Written without fraction and exponent. `1.0` and `1e2` are not integers here: who writes a fraction means a measure.
  package var isInteger: Bool {
    text.utf8.allSatisfy { $0 == UInt8(ascii: "-") || UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }
  }

  /// The exact value; `nil` if it is written with a fraction or exponent, or does not fit.
  package var int64: Int64? { Int64(text) }

  /// The exact value; `nil` if it is written with a fraction or exponent, is negative, or does not fit.
  package var uint64: UInt64? { UInt64(text) }

  /// The nearest `Double`; `nil` if the number lies beyond the largest.
  package var double: Double? {
    guard let value = Double(text), value.isFinite else { return nil }
    return value
  }

  package var description: String { text }

  static func isWellFormed(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
    var index = 0
    func peek() -> UInt8? { index < text.count ? text[index] : nil }
    func skipDigits() -> Int {
      let start = index
      while index < text.count, UInt8(ascii: "0")...UInt8(ascii: "9") ~= text[index] { index += 1 }
      return index - start
    }
    if peek() == UInt8(ascii: "-") { index += 1 }
    let startsWithZero = peek() == UInt8(ascii: "0")
    let digits = skipDigits()
    guard digits > 0, digits == 1 || !startsWithZero else { return false }
    if peek() == UInt8(ascii: ".") {
      index += 1
      guard skipDigits() > 0 else { return false }
    }
    if peek() == UInt8(ascii: "e") || peek() == UInt8(ascii: "E") {
      index += 1
      if peek() == UInt8(ascii: "+") || peek() == UInt8(ascii: "-") { index += 1 }
      guard skipDigits() > 0 else { return false }
    }
    return index == text.count
  }
}

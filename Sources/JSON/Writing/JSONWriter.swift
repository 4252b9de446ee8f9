/// Writes compact JSON to the end of a byte array and sets the commas.
///
/// A plain value that one function fills. Objects and arrays close with their closures, so that brackets always match;
/// that every member has a name and exactly one value is the caller's part.
package struct JSONWriter {
  package private(set) var bytes: [UInt8] = []
  private var needsComma = false

  package init(capacity: Int = 512) { bytes.reserveCapacity(capacity) }

  package mutating func object<Failure: Error>(
    _ members: (inout JSONWriter) throws(Failure) -> Void
  ) throws(Failure) {
    open(UInt8(ascii: "{"))
    try members(&self)
    close(UInt8(ascii: "}"))
  }

  package mutating func array<Failure: Error>(
    _ elements: (inout JSONWriter) throws(Failure) -> Void
  ) throws(Failure) {
    open(UInt8(ascii: "["))
    try elements(&self)
    close(UInt8(ascii: "]"))
  }

  /// Writes a member's name; its value must follow. The name must need no escape: it is copied as it is.
  package mutating func name(_ name: StaticString) {
    separate()
    name.withUTF8Buffer { name in
      assert(!JSONEscaping.needsEscape(UnsafeRawBufferPointer(name)))
      bytes.append(UInt8(ascii: "\""))
      bytes.append(contentsOf: name)
    }
    bytes.append(UInt8(ascii: "\""))
    bytes.append(UInt8(ascii: ":"))
    needsComma = false
  }

  /// Writes a member's name, escaped as it needs; its value must follow.
  package mutating func name(text: String) {
    value(text)
    bytes.append(UInt8(ascii: ":"))
    needsComma = false
  }

  package mutating func member(_ name: StaticString, _ value: some JSONWritable) {
    self.name(name)
    value.write(to: &self)
  }

  /// Writes the member only if there is a value.
  package mutating func member(_ name: StaticString, ifPresent value: (some JSONWritable)?) {
    guard let value else { return }
    member(name, value)
  }

  package mutating func value(_ text: String) {
    var text = text
    text.withUTF8 { value(utf8: UnsafeRawBufferPointer($0)) }
  }

  /// Writes a string whose characters are given as UTF-8.
  package mutating func value(utf8 text: UnsafeRawBufferPointer) {
    separate()
    bytes.append(UInt8(ascii: "\""))
    JSONEscaping.append(text, to: &bytes)
    bytes.append(UInt8(ascii: "\""))
    needsComma = true
  }

  package mutating func value(_ value: some JSONWritable) { value.write(to: &self) }

  package mutating func value(_ flag: Bool) { raw(flag ? "true" : "false") }

  package mutating func null() { raw("null") }

  package mutating func value(_ number: Int64) {
    separate()
    if number < 0 { bytes.append(UInt8(ascii: "-")) }
    appendDigits(of: number.magnitude)
    needsComma = true
  }

  package mutating func value(_ number: UInt64) {
    separate()
    appendDigits(of: number)
    needsComma = true
  }

  /// The shortest text that reads back as the same number. JSON has no infinity and no not-a-number: they become `null`.
  package mutating func value(_ number: Double) {
    guard number.isFinite else { return null() }
    raw(text: number.description)
  }

  /// Writes a value that is JSON already; it is not looked at.
  package mutating func raw(_ json: StaticString) {
    separate()
    json.withUTF8Buffer { bytes.append(contentsOf: $0) }
    needsComma = true
  }

  /// Writes a value that is JSON already; it is not looked at.
  package mutating func raw(_ json: [UInt8]) {
    separate()
    bytes.append(contentsOf: json)
    needsComma = true
  }

  /// Writes a value that is JSON already; it is not looked at.
  package mutating func raw(_ json: UnsafeRawBufferPointer) {
    separate()
    bytes.append(contentsOf: json)
    needsComma = true
  }

  /// Writes a value that is JSON already; it is not looked at.
  package mutating func raw(text json: String) {
    separate()
    bytes.append(contentsOf: json.utf8)
    needsComma = true
  }

  /// Forgets what was written and keeps the memory.
  package mutating func clear() {
    bytes.removeAll(keepingCapacity: true)
    needsComma = false
  }

  /// Ends a line, for streams of one value a line (NDJSON).
  package mutating func endLine() {
    bytes.append(UInt8(ascii: "\n"))
    needsComma = false
  }

  private mutating func separate() {
    if needsComma { bytes.append(UInt8(ascii: ",")) }
  }

  private mutating func open(_ bracket: UInt8) {
    separate()
    bytes.append(bracket)
    needsComma = false
  }

  private mutating func close(_ bracket: UInt8) {
    bytes.append(bracket)
    needsComma = true
  }

  private mutating func appendDigits(of number: UInt64) {
    // 20 digits hold the largest UInt64.
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 20) { digits in
      var rest = number
      var start = 20
      repeat {
        start -= 1
        digits[start] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10)
        rest /= 10
      } while rest > 0
      bytes.append(contentsOf: digits[start...])
    }
  }
}

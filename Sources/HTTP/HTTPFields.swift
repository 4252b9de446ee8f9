/// The header fields of a request or an answer: in order, duplicates kept, names compared without case.
///
/// A plain value. All text lies in one array and each field is two lengths into it, so that a head read from a socket
/// is two allocations whatever the number of its fields; a `String` is made only for the fields somebody asks for.
package struct HTTPFields: Sendable {
  /// Where one field lies in `text`: the name at `start`, the value right behind it.
  package struct Line: Sendable {
    package let start: UInt32
    package let nameLength: UInt16
    package let valueLength: UInt32

    package init(start: Int, nameLength: Int, valueLength: Int) {
      self.start = UInt32(start)
      self.nameLength = UInt16(nameLength)
      self.valueLength = UInt32(valueLength)
    }

    package var name: Range<Int> { Int(start)..<Int(start) + Int(nameLength) }
    package var value: Range<Int> { name.upperBound..<name.upperBound + Int(valueLength) }
  }

  package private(set) var text: [UInt8]
  package private(set) var lines: [Line]

  package init() {
    text = []
    lines = []
  }

  /// Takes what a reader has already checked: token names, values without control bytes, every line inside `text`.
  package init(checkedText: [UInt8], lines: [Line]) {
    text = checkedText
    self.lines = lines
  }

  package var count: Int { lines.count }
  package var isEmpty: Bool { lines.isEmpty }

  /// The first value of that name. Where a second one would matter, ask `values(of:)`.
  package subscript(name: String) -> String? {
    for line in lines where matches(line, name) { return string(line.value) }
    return nil
  }

  /// Every value of that name in the order received; two are never joined.
  package func values(of name: String) -> [String] {
    lines.filter { matches($0, name) }.map { string($0.value) }
  }

  package func contains(_ name: String) -> Bool { lines.contains { matches($0, name) } }

  /// Adds a field behind the others. A control byte in the value becomes a space (RFC 9110 section 5.5), so that text
  /// which came from a client can never end the field and begin another.
  /// - Precondition: the name is a token; names are constants of the program.
  package mutating func append(_ name: String, _ value: String) {
    precondition(!name.isEmpty && name.utf8.allSatisfy(FieldSyntax.isToken), "a field name is a token")
    let start = text.count
    text.append(contentsOf: name.utf8)
    for byte in value.utf8 { text.append(FieldSyntax.isValue(byte) ? byte : 0x20) }
    let nameLength = name.utf8.count
    lines.append(Line(start: start, nameLength: nameLength, valueLength: text.count - start - nameLength))
  }

  /// Removes every field of that name and adds this one.
  package mutating func set(_ name: String, _ value: String) {
    remove(name)
    append(name, value)
  }

  /// The text of removed fields stays where it lies until the value dies.
  package mutating func remove(_ name: String) { lines = lines.filter { !matches($0, name) } }

  /// Whether the field at `line` has this name, without case.
  package func matches(_ line: Line, _ name: String) -> Bool {
    let expected = name.utf8
    guard expected.count == Int(line.nameLength) else { return false }
    var position = Int(line.start)
    for byte in expected {
      guard FieldSyntax.lowercased(byte) == FieldSyntax.lowercased(text[position]) else { return false }
      position += 1
    }
    return true
  }

  private func string(_ range: Range<Int>) -> String { String(decoding: text[range], as: UTF8.self) }
}

extension HTTPFields: Sequence {
  package func makeIterator() -> AnyIterator<(name: String, value: String)> {
    var rest = lines.makeIterator()
    return AnyIterator { rest.next().map { (string($0.name), string($0.value)) } }
  }
}

extension HTTPFields: ExpressibleByDictionaryLiteral {
  package init(dictionaryLiteral elements: (String, String)...) {
    self.init()
    for (name, value) in elements { append(name, value) }
  }
}

extension HTTPFields: Equatable {
  /// Same fields in the same order; names without case.
  package static func == (one: HTTPFields, other: HTTPFields) -> Bool {
    one.elementsEqual(other) { FieldSyntax.equalIgnoringCase($0.name, $1.name) && $0.value == $1.value }
  }
}

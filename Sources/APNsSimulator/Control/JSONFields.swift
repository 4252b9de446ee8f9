internal import JSON

/// Reads an object of the control endpoint strictly: a wrong type and an unknown name are faults, said in words.
///
/// A value that one function uses up: ask for every known name, then ``end()``.
struct JSONFields {
  private let object: JSONObject
  private let place: String
  private var known: Set<String> = []

  init(_ value: JSONValue, at place: String) throws(SimulatorError) {
    guard let object = value.object else { throw SimulatorError(.badRequest, "\(place) must be an object") }
    self.object = object
    self.place = place
  }

  mutating func value(_ name: String) -> JSONValue? {
    known.insert(name)
    guard let value = object[name], !value.isNull else { return nil }
    return value
  }

  mutating func string(_ name: String) throws(SimulatorError) -> String? {
    guard let value = value(name) else { return nil }
    guard let text = value.string else { throw wrong(name, "a string") }
    return text
  }

  mutating func integer(_ name: String, in range: ClosedRange<Int64>) throws(SimulatorError) -> Int64? {
    guard let value = value(name) else { return nil }
    guard let number = value.number?.int64, range.contains(number) else {
      throw wrong(name, "a whole number from \(range.lowerBound) to \(range.upperBound)")
    }
    return number
  }

  mutating func array(_ name: String) throws(SimulatorError) -> [JSONValue]? {
    guard let value = value(name) else { return nil }
    guard let elements = value.array else { throw wrong(name, "an array") }
    return elements
  }

  /// One of the words of an enum.
  mutating func word<Word: RawRepresentable & CaseIterable>(_ name: String) throws(SimulatorError) -> Word?
  where Word.RawValue == String {
    guard let text = try string(name) else { return nil }
    guard let word = Word(rawValue: text) else {
      throw wrong(name, "one of " + Word.allCases.map(\.rawValue).joined(separator: ", "))
    }
    return word
  }

  func end() throws(SimulatorError) {
    for member in object.members where !known.contains(member.name) {
      throw SimulatorError(.badRequest, "\(place).\(member.name) is not known here")
    }
  }

  func wrong(_ name: String, _ expected: String) -> SimulatorError {
    SimulatorError(.badRequest, "\(place).\(name) must be \(expected)")
  }

  func missing(_ name: String) -> SimulatorError { SimulatorError(.badRequest, "\(place).\(name) is missing") }
}

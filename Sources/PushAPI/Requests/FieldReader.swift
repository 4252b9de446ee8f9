internal import JSON
internal import PushCore

/// Reads one object of a request field by field. A field that is `null` counts as left out, except where a caller asks with
/// ``isPresent(_:)``.
///
/// Lives within one decoding, on its thread.
struct FieldReader {
  private let object: JSONObject
  private let pointer: JSONPointer
  private let problems: ProblemList

  /// Reports every name that is not known, with the nearest one that is.
  init(_ object: JSONObject, known: [String], at pointer: JSONPointer = .root, _ problems: ProblemList) {
    self.object = object
    self.pointer = pointer
    self.problems = problems
    for member in object.members where !known.contains(member.name) {
      let hint = NearestName.find(member.name, among: known).map { " Did you mean \($0)?" } ?? ""
      problems.report(pointer.appending(named: member.name).text, "unknown_field", "There is no such field.\(hint)")
    }
  }

  /// Whether the name is there at all, `null` included.
  func isPresent(_ name: String) -> Bool { object[name] != nil }

  /// `nil` when the field is left out or `null`.
  subscript(name: String) -> ValueReader? {
    guard let value = object[name], !value.isNull else { return nil }
    return ValueReader(value: value, pointer: pointer.appending(name), problems: problems)
  }

  func report(_ name: String, _ code: String, _ detail: String) {
    problems.report(pointer.appending(name).text, code, detail)
  }

  func require(_ name: String) {
    guard self[name] == nil else { return }
    report(name, "required", isPresent(name) ? "This field may not be null." : "This field is missing.")
  }

  private func required<Value>(_ name: String, or standIn: Value, _ read: (ValueReader) -> Value) -> Value {
    require(name)
    return self[name].map(read) ?? standIn
  }

  // Required fields.
  func text(_ name: String, _ length: ClosedRange<Int>) -> String { required(name, or: "?") { $0.text(length) } }

  func id<Kind>(_ name: String, of kind: Kind.Type = Kind.self) -> ID<Kind> { required(name, or: ID(0)) { $0.id() } }

  func choice<Choice>(_ name: String, or standIn: Choice) -> Choice
  where Choice: RawRepresentable<String> & CaseIterable {
    choice(name, words: Choice.allCases.map { ($0.rawValue, $0) }, or: standIn)
  }

  func choice<Choice>(_ name: String, words: [(word: String, value: Choice)], or standIn: Choice) -> Choice {
    required(name, or: standIn) { $0.choice(words, or: standIn) }
  }

  // Fields that may be left out.
  func optionalText(_ name: String, _ length: ClosedRange<Int>) -> String? { self[name]?.text(length) }
  func optionalID<Kind>(_ name: String, of kind: Kind.Type = Kind.self) -> ID<Kind>? { self[name]?.id() }
  func integer(_ name: String, _ range: ClosedRange<Int64>) -> Int64? { self[name]?.integer(range) }
  func number(_ name: String) -> JSONText? { self[name]?.number() }
  func flag(_ name: String) -> Bool? { self[name]?.flag() }
  func time(_ name: String) -> Timestamp? { self[name]?.time() }

  func optionalChoice<Choice>(_ name: String, as type: Choice.Type = Choice.self) -> Choice?
  where Choice: RawRepresentable<String> & CaseIterable {
    guard let value = self[name] else { return nil }
    let words = Choice.allCases.map { (word: $0.rawValue, value: Optional($0)) }
    return value.choice(words, or: nil)
  }

  func check(_ name: String, isOneOf words: [String]) {
    _ = self[name]?.choice(words.map { ($0, ()) }, or: ())
  }

  func list<Element>(_ name: String, _ count: ClosedRange<Int>, _ element: (ValueReader) -> Element) -> [Element] {
    self[name]?.list(count, element) ?? []
  }

  func texts(_ name: String, _ count: ClosedRange<Int>, _ length: ClosedRange<Int>) -> [String] {
    list(name, count) { $0.text(length) }
  }

  func object(_ name: String, known: [String]) -> FieldReader? { self[name]?.object(known: known) }

  func requiredObject(_ name: String, known: [String]) -> FieldReader? {
    require(name)
    return object(name, known: known)
  }
}

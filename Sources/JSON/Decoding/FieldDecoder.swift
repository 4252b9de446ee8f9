/// Reads the fields of one object strictly and finds everything wrong with them in one go: wrong types, bounds, missing and
/// unknown fields, at every depth.
///
/// Each getter names a field that is thereby known; what was never asked for is refused at the end. So a body asks for all of its
/// fields first and puts them together afterwards. Null counts as left out: an optional field may be null, a required one
/// may not; only ``change(_:_:)`` tells the two apart. Lives within one decoding, on its thread.
package final class FieldDecoder {
  private let object: JSONObject
  private let place: FieldPlace
  private var known: Set<ExactText> = []

  init(_ object: JSONObject, at place: FieldPlace) {
    self.object = object
    self.place = place
  }

  /// Decodes a whole document. `body` gives `nil` only when a required field was missing or it has reported something.
  package static func decode<Value>(
    _ document: JSONValue, _ body: (FieldDecoder) -> Value?
  ) throws(FieldErrors) -> Value {
    let report = FieldReport()
    let root = FieldPlace(pointer: .root, report: report)
    let value = FieldKind<JSONObject>.object.read(document, root).flatMap { FieldDecoder($0, at: root).read(body) }
    guard let value, report.errors.isEmpty else {
      precondition(!report.errors.isEmpty, "a decoder gave no value and no reason")
      throw FieldErrors(errors: report.errors, isTruncated: report.isTruncated)
    }
    return value
  }

  /// `nil` if the field is missing, null or wrong, which is then reported.
  package func required<Value>(_ name: String, _ kind: FieldKind<Value>) -> Value? {
    guard let value = value(of: name) else {
      place.member(name).fail(.required, "is required")
      return nil
    }
    return kind.read(value, place.member(name))
  }

  /// `nil` if the field is left out, null, or wrong, which is then reported.
  package func optional<Value>(_ name: String, _ kind: FieldKind<Value>) -> Value? {
    value(of: name).flatMap { kind.read($0, place.member(name)) }
  }

  package func optional<Value>(_ name: String, _ kind: FieldKind<Value>, default standard: Value) -> Value {
    optional(name, kind) ?? standard
  }

  /// For partial updates, where null means "remove".
  package func change<Value>(_ name: String, _ kind: FieldKind<Value>) -> FieldChange<Value> {
    known.insert(ExactText(name))
    switch object[name] {
    case nil: return .keep
    case .null: return .clear
    case .some(let value): return kind.read(value, place.member(name)).map(FieldChange.set) ?? .keep
    }
  }

  /// Whether the field was sent, null or not.
  package func contains(_ name: String) -> Bool {
    known.insert(ExactText(name))
    return object[name] != nil
  }

  /// Says that a field is wrong for a reason that its kind can't know, such as another field.
  package func report(_ name: String, _ code: FieldError.Code, _ detail: String) {
    place.member(name).fail(code, detail)
  }

  /// Says that the object as a whole is wrong.
  package func report(_ code: FieldError.Code, _ detail: String) { place.fail(code, detail) }

  func read<Value>(_ body: (FieldDecoder) -> Value?) -> Value? {
    let value = body(self)
    for member in object.members where !known.contains(ExactText(member.name)) {
      let suggestion =
        NearestName.find(member.name, among: known.lazy.map(\.text)).map { "; did you mean \($0)?" } ?? ""
      place.member(member.name).fail(.unknownField, "is not known" + suggestion)
      if place.report.isTruncated { break }
    }
    return value
  }

  private func value(of name: String) -> JSONValue? {
    known.insert(ExactText(name))
    guard let value = object[name], !value.isNull else { return nil }
    return value
  }
}

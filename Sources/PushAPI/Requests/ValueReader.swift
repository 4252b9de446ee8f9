internal import JSON
internal import PushCore

/// One value of a request and its place. What is wrong with it is reported, and a stand-in is given instead.
///
/// Lives within one decoding, on its thread.
struct ValueReader {
  let value: JSONValue
  let pointer: JSONPointer
  let problems: ProblemList

  func report(_ code: String, _ detail: String) { problems.report(pointer.text, code, detail) }

  /// A string of so many bytes. Never read from a number or anything else.
  func text(_ length: ClosedRange<Int>) -> String { checkedText(length) ?? "?" }

  /// As ``text(_:)``, without a stand-in: for texts that are looked into further.
  func checkedText(_ length: ClosedRange<Int>) -> String? {
    guard let text = value.string else { return refuseKind("a string", instead: nil) }
    let count = text.utf8.count
    guard count <= length.upperBound else {
      report("too_long", "At most \(length.upperBound) bytes of UTF-8; this has \(count).")
      return nil
    }
    guard count >= length.lowerBound else {
      report("empty", "An empty text says nothing here.")
      return nil
    }
    return text
  }

  /// A whole number, written without fraction and exponent, and not as a string.
  func integer(_ range: ClosedRange<Int64>) -> Int64 {
    guard let number = value.number else { return refuseKind("a whole number", instead: range.lowerBound) }
    guard number.isInteger else {
      report("not_an_integer", "This is a whole number, written without fraction and exponent.")
      return range.lowerBound
    }
    guard let integer = number.int64, range.contains(integer) else {
      report("out_of_range", "This is a whole number from \(range.lowerBound) to \(range.upperBound).")
      return range.lowerBound
    }
    return integer
  }

  /// A number of any form, its digits as sent.
  func number() -> JSONText {
    guard let number = value.number else { return refuseKind("a number", instead: JSONText(checked: [48])) }
    return JSONText(checked: Array(number.text.utf8))
  }

  func flag() -> Bool { value.bool ?? refuseKind("a boolean", instead: false) }

  /// One of some words.
  func choice<Choice>(_ words: [(word: String, value: Choice)], or standIn: Choice) -> Choice {
    guard let text = value.string else { return refuseKind("a string", instead: standIn) }
    guard let found = words.first(where: { $0.word == text }) else {
      report("not_allowed", "This is one of: \(words.map(\.word).joined(separator: ", ")).")
      return standIn
    }
    return found.value
  }

  func id<Kind>(_ kind: Kind.Type = Kind.self) -> ID<Kind> {
    guard let text = value.string else { return refuseKind("a string", instead: ID(0)) }
    guard let id = ID<Kind>(text) else {
      report("malformed_id", "This is an id: \(Kind.prefix)_ and 26 letters and digits.")
      return ID(0)
    }
    return id
  }

  func time() -> Timestamp {
    guard let text = value.string else { return refuseKind("a string", instead: .now()) }
    guard let time = Timestamp(rfc3339: text) else {
      report("malformed_time", "This is a time of RFC 3339 with an offset, such as 2026-12-01T09:00:00Z.")
      return .now()
    }
    return time
  }

  /// An object of which these names are known; the others are refused.
  func object(known: [String]) -> FieldReader? {
    guard let object = value.object else { return refuseKind("an object", instead: nil) }
    return FieldReader(object, known: known, at: pointer, problems)
  }

  /// An object whose names are its sender's.
  func members() -> [(name: String, reader: ValueReader)] {
    guard let object = value.object else { return refuseKind("an object", instead: []) }
    return object.members.map {
      ($0.name, ValueReader(value: $0.value, pointer: pointer.appending(named: $0.name), problems: problems))
    }
  }

  func list<Element>(_ count: ClosedRange<Int>, _ element: (ValueReader) -> Element) -> [Element] {
    guard let elements = value.array else { return refuseKind("an array", instead: []) }
    guard count.contains(elements.count) else {
      report(
        elements.isEmpty ? "empty" : "too_many",
        "A list of \(count.lowerBound) to \(count.upperBound); this has \(elements.count).")
      return []
    }
    return elements.enumerated().map { index, value in
      element(ValueReader(value: value, pointer: pointer.appending(index), problems: problems))
    }
  }

  private func refuseKind<Value>(_ expected: String, instead standIn: Value) -> Value {
    report("wrong_type", "This is \(expected), not \(value.kindName).")
    return standIn
  }
}

extension JSONPointer {
  /// A name that its sender chose may be as long as a body; an error repeats only its beginning.
  func appending(named name: String) -> JSONPointer { appending(String(name.prefix(64))) }
}

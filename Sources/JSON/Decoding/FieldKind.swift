/// How a field's value is read: the JSON type it must have, its bounds, and the Swift value it becomes. Nothing is converted: a
/// string of digits is no number, 0 and 1 are no booleans, and an integer is written without fraction and exponent.
///
/// A plain value, made where it is used.
package struct FieldKind<Value> {
  /// `nil` after saying what is wrong.
  let read: (JSONValue, FieldPlace) -> Value?

  /// A kind of one's own: `nil` only after `place.fail`.
  package init(_ read: @escaping (_ value: JSONValue, _ place: FieldPlace) -> Value?) { self.read = read }

  /// The same field with another check on its value: `nil` only after `place.fail`.
  package func checked<Other>(_ check: @escaping (_ value: Value, _ place: FieldPlace) -> Other?) -> FieldKind<Other> {
    FieldKind<Other> { value, place in read(value, place).flatMap { check($0, place) } }
  }
}

extension FieldKind where Value == String {
  /// Bounds count UTF-8 bytes.
  package static func string(bytes: ClosedRange<Int>) -> FieldKind {
    FieldKind { value, place in
      guard let text = text(value, place) else { return nil }
      return isWithin(bytes, text.utf8.count, "bytes", place) ? text : nil
    }
  }

  /// Bounds count characters as Unicode scalars, which is how SQL counts them.
  package static func string(characters: ClosedRange<Int>) -> FieldKind {
    FieldKind { value, place in
      guard let text = text(value, place) else { return nil }
      return isWithin(characters, text.unicodeScalars.count, "characters", place) ? text : nil
    }
  }

  private static func text(_ value: JSONValue, _ place: FieldPlace) -> String? {
    guard case .string(let text) = value else {
      place.wrongType("a string", value)
      return nil
    }
    return text
  }

  private static func isWithin(_ bounds: ClosedRange<Int>, _ length: Int, _ unit: String, _ place: FieldPlace) -> Bool {
    if length < bounds.lowerBound {
      place.fail(
        .tooShort, bounds.lowerBound == 1 ? "must not be empty" : "must have \(bounds.lowerBound) \(unit) or more")
    } else if length > bounds.upperBound {
      place.fail(.tooLong, "must have at most \(bounds.upperBound) \(unit)")
    }
    return bounds.contains(length)
  }
}

extension FieldKind {
  /// A string in a form of its own, such as a time or an id. `expected` completes "must be".
  package static func text(
    _ expected: String, longest: Int = 256, parse: @escaping (String) -> Value?
  ) -> FieldKind {
    FieldKind<String>.string(bytes: 0...longest).checked { text, place in
      guard let value = parse(text) else {
        place.fail(.invalid, "must be \(expected)")
        return nil
      }
      return value
    }
  }
}

extension FieldKind where Value: RawRepresentable & CaseIterable, Value.RawValue == String {
  /// One of the enumeration's words, in the same case.
  package static var choice: FieldKind {
    FieldKind { value, place in
      guard case .string(let word) = value else {
        place.wrongType("a string", value)
        return nil
      }
      guard let value = Value(rawValue: word) else {
        place.fail(.unknownValue, "must be one of " + Value.allCases.map(\.rawValue).joined(separator: ", "))
        return nil
      }
      return value
    }
  }
}

extension FieldKind where Value == Bool {
  package static var bool: FieldKind {
    FieldKind { value, place in
      guard case .bool(let flag) = value else {
        place.wrongType("true or false", value)
        return nil
      }
      return flag
    }
  }
}

extension FieldKind where Value == Int {
  /// Written without fraction and exponent: `1`, never `1.0` or `1e0`.
  package static func integer(in range: ClosedRange<Int>) -> FieldKind {
    FieldKind { value, place in
      guard case .number(let number) = value else {
        place.wrongType("a number", value)
        return nil
      }
      guard number.isInteger else {
        place.fail(.notAnInteger, "must be a whole number, written without fraction and exponent")
        return nil
      }
      guard let integer = number.int64, let exact = Int(exactly: integer), range.contains(exact) else {
        place.fail(.outOfRange, "must be from \(range.lowerBound) to \(range.upperBound)")
        return nil
      }
      return exact
    }
  }
}

extension FieldKind where Value == Double {
  package static func number(in range: ClosedRange<Double>) -> FieldKind {
    FieldKind { value, place in
      guard case .number(let number) = value else {
        place.wrongType("a number", value)
        return nil
      }
      guard let double = number.double, range.contains(double) else {
        place.fail(.outOfRange, "must be from \(range.lowerBound) to \(range.upperBound)")
        return nil
      }
      return double
    }
  }
}

/// A JSON value as it was written: numbers keep their digits, objects their order.
///
/// A plain value, never nested deeper than ``JSONLimits/deepest`` when it was read. Equality compares numbers by their text and
/// strings as Swift does (composed and decomposed letters are equal).
package enum JSONValue: Hashable, Sendable {
  case null
  case bool(Bool)
  case number(JSONNumber)
  case string(String)
  case array([JSONValue])
  case object(JSONObject)
}

extension JSONValue {
  package var string: String? {
    guard case .string(let text) = self else { return nil }
    return text
  }

  package var number: JSONNumber? {
    guard case .number(let number) = self else { return nil }
    return number
  }

  package var bool: Bool? {
    guard case .bool(let flag) = self else { return nil }
    return flag
  }

  package var array: [JSONValue]? {
    guard case .array(let elements) = self else { return nil }
    return elements
  }

  package var object: JSONObject? {
    guard case .object(let object) = self else { return nil }
    return object
  }

  package var isNull: Bool {
    if case .null = self { true } else { false }
  }

  /// The member of that name, if this is an object that has one.
  package subscript(name: String) -> JSONValue? { object?[name] }

  /// How the value is called in an error: `a string`, `an object`.
  package var kindName: String {
    switch self {
    case .null: "null"
    case .bool: "a boolean"
    case .number: "a number"
    case .string: "a string"
    case .array: "an array"
    case .object: "an object"
    }
  }
}

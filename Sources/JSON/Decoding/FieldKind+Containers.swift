extension FieldKind where Value == JSONValue {
  /// Any value, as it was written; `null` only inside of it.
  package static var json: FieldKind { FieldKind { value, _ in value } }
}

extension FieldKind where Value == JSONObject {
  /// Any object, as it was written.
  package static var object: FieldKind {
    FieldKind { value, place in
      guard case .object(let object) = value else {
        place.wrongType("an object", value)
        return nil
      }
      return object
    }
  }
}

extension FieldKind {
  /// An object with known fields; unknown ones in it are refused. `body` reads them all before it gives up.
  package static func fields(_ body: @escaping (FieldDecoder) -> Value?) -> FieldKind {
    FieldKind<JSONObject>.object.checked { object, place in
      FieldDecoder(object, at: place).read(body)
    }
  }

  /// An array whose elements are all of one kind; `null` is no element. Every wrong element is told.
  package static func array<Element>(
    of kind: FieldKind<Element>, count bounds: ClosedRange<Int>
  ) -> FieldKind where Value == [Element] {
    FieldKind { value, place in
      guard case .array(let elements) = value else {
        place.wrongType("an array", value)
        return nil
      }
      guard isWithin(bounds, elements.count, "entries", place) else { return nil }
      var result: [Element] = []
      result.reserveCapacity(elements.count)
      for (index, element) in elements.enumerated() {
        if let value = kind.read(element, place.element(index)) { result.append(value) }
      }
      return result.count == elements.count ? result : nil
    }
  }

  /// An object whose names are the sender's and whose values are all of one kind, in its order. Every wrong member is told.
  package static func map<Element>(
    of kind: FieldKind<Element>, count bounds: ClosedRange<Int>, nameBytes: ClosedRange<Int>
  ) -> FieldKind where Value == [(name: String, value: Element)] {
    FieldKind<JSONObject>.object.checked { object, place in
      guard isWithin(bounds, object.count, "members", place) else { return nil }
      var result: [(name: String, value: Element)] = []
      for member in object.members {
        let inner = place.member(member.name)
        guard nameBytes.contains(member.name.utf8.count) else {
          inner.fail(.invalid, "must have a name of \(nameBytes.lowerBound) to \(nameBytes.upperBound) bytes")
          continue
        }
        if let value = kind.read(member.value, inner) { result.append((member.name, value)) }
      }
      return result.count == object.count ? result : nil
    }
  }

  private static func isWithin(_ bounds: ClosedRange<Int>, _ count: Int, _ unit: String, _ place: FieldPlace) -> Bool {
    if count < bounds.lowerBound {
      place.fail(
        .tooFew, bounds.lowerBound == 1 ? "must not be empty" : "must have \(bounds.lowerBound) \(unit) or more")
    } else if count > bounds.upperBound {
      place.fail(.tooMany, "must have at most \(bounds.upperBound) \(unit)")
    }
    return bounds.contains(count)
  }
}

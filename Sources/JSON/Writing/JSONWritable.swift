/// What can be written as one JSON value.
package protocol JSONWritable {
  func write(to writer: inout JSONWriter)
}

extension String: JSONWritable {
  package func write(to writer: inout JSONWriter) { writer.value(self) }
}

extension Bool: JSONWritable {
  package func write(to writer: inout JSONWriter) { writer.value(self) }
}

extension Double: JSONWritable {
  package func write(to writer: inout JSONWriter) { writer.value(self) }
}

extension Int: JSONWritable {
  package func write(to writer: inout JSONWriter) { writer.value(Int64(self)) }
}

extension Int32: JSONWritable {
  package func write(to writer: inout JSONWriter) { writer.value(Int64(self)) }
}

extension Int64: JSONWritable {
  package func write(to writer: inout JSONWriter) { writer.value(self) }
}

extension UInt64: JSONWritable {
  package func write(to writer: inout JSONWriter) { writer.value(self) }
}

/// `nil` is `null`.
extension Optional: JSONWritable where Wrapped: JSONWritable {
  package func write(to writer: inout JSONWriter) {
    if let self { self.write(to: &writer) } else { writer.null() }
  }
}

extension Array: JSONWritable where Element: JSONWritable {
  package func write(to writer: inout JSONWriter) {
    writer.array { writer in
      for element in self { element.write(to: &writer) }
    }
  }
}

extension JSONNumber: JSONWritable {
  package func write(to writer: inout JSONWriter) { writer.raw(text: text) }
}

extension JSONObject: JSONWritable {
  package func write(to writer: inout JSONWriter) {
    writer.object { writer in
      for member in members {
        writer.name(text: member.name)
        member.value.write(to: &writer)
      }
    }
  }
}

extension JSONValue: JSONWritable {
  package func write(to writer: inout JSONWriter) {
    switch self {
    case .null: writer.null()
    case .bool(let flag): writer.value(flag)
    case .number(let number): number.write(to: &writer)
    case .string(let text): writer.value(text)
    case .array(let elements): elements.write(to: &writer)
    case .object(let object): object.write(to: &writer)
    }
  }
}

extension JSONWritable {
  /// Compact JSON: what a value was read from, without blanks, escapes made minimal, digits and order kept.
  package func encoded() -> [UInt8] {
    var writer = JSONWriter()
    write(to: &writer)
    return writer.bytes
  }
}

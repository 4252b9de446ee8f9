package import JSON
package import PushCore

/// RFC 3339 in UTC with milliseconds.
extension Timestamp: JSONWritable {
  package func write(to writer: inout JSONWriter) { writer.value(rfc3339) }
}

/// As it was sent.
extension JSONText: JSONWritable {
  package func write(to writer: inout JSONWriter) { writer.raw(bytes) }
}

/// The typed text.
extension ID: JSONWritable {
  package func write(to writer: inout JSONWriter) { writer.value(description) }
}

extension JSONWriter {
  /// A nested object.
  mutating func member(_ name: StaticString, object members: (inout JSONWriter) -> Void) {
    self.name(name)
    object(members)
  }
}

/// A JSON value as compact UTF-8 text, checked where it came in. The domain carries it and never looks inside, so that
/// digits, member order and types reach the phone as they were sent.
package struct JSONText: Sendable, Hashable {
  package let bytes: [UInt8]
  package init(checked bytes: [UInt8]) { self.bytes = bytes }
}

/// One member of a JSON object whose value the domain does not look into.
package struct JSONMember: Sendable, Hashable {
  package let name: String
  package let value: JSONText
  package init(name: String, value: JSONText) {
    self.name = name
    self.value = value
  }
}

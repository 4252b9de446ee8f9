/// One header field as it was on the wire (or is to be).
package struct HeaderLine: Sendable, Hashable {
  package let name: [UInt8]
  package let value: [UInt8]

  package init(name: [UInt8], value: [UInt8]) {
    self.name = name
    self.value = value
  }

  package init(_ name: String, _ value: String) {
    self.init(name: Array(name.utf8), value: Array(value.utf8))
  }

  package var nameText: String { String(decoding: name, as: UTF8.self) }
  package var valueText: String { String(decoding: value, as: UTF8.self) }
}

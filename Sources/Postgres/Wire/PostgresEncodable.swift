/// A value that can be bound to a statement or written by COPY, always in the server's binary format.
///
/// Conform a domain type here, or through `PostgresUUIDRepresentable`, or, when it is `RawRepresentable`, with an empty
/// conformance.
package protocol PostgresEncodable: Sendable {
  static var postgresType: PostgresType { get }
  /// Appends the value's bytes without their length.
  func encode(into buffer: inout WireBuffer)
}

extension PostgresEncodable where Self: RawRepresentable, RawValue: PostgresEncodable {
  package static var postgresType: PostgresType { RawValue.postgresType }
  package func encode(into buffer: inout WireBuffer) { rawValue.encode(into: &buffer) }
}

/// One byte, 0 or 1.
extension Bool: PostgresEncodable {
  package static var postgresType: PostgresType { .bool }
  package func encode(into buffer: inout WireBuffer) { buffer.append(UInt8(self ? 1 : 0)) }
}

/// Two bytes, big-endian.
extension Int16: PostgresEncodable {
  package static var postgresType: PostgresType { .int2 }
  package func encode(into buffer: inout WireBuffer) { buffer.append(self) }
}

/// Four bytes, big-endian.
extension Int32: PostgresEncodable {
  package static var postgresType: PostgresType { .int4 }
  package func encode(into buffer: inout WireBuffer) { buffer.append(self) }
}

/// Eight bytes, big-endian.
extension Int64: PostgresEncodable {
  package static var postgresType: PostgresType { .int8 }
  package func encode(into buffer: inout WireBuffer) { buffer.append(self) }
}

/// As `Int64`.
extension Int: PostgresEncodable {
  package static var postgresType: PostgresType { .int8 }
  package func encode(into buffer: inout WireBuffer) { buffer.append(Int64(self)) }
}

/// The IEEE 754 bit pattern, big-endian.
extension Double: PostgresEncodable {
  package static var postgresType: PostgresType { .float8 }
  package func encode(into buffer: inout WireBuffer) { buffer.append(bitPattern) }
}

/// The UTF-8 bytes: the binary format of `text` is the text itself. The server refuses U+0000 (SQLSTATE 22021).
extension String: PostgresEncodable {
  package static var postgresType: PostgresType { .text }
  package func encode(into buffer: inout WireBuffer) { buffer.append(utf8: self) }
}

/// `bytea`, the bytes as they are: half of what the hexadecimal text format sends.
extension Array: PostgresEncodable where Element == UInt8 {
  package static var postgresType: PostgresType { .bytea }
  package func encode(into buffer: inout WireBuffer) { buffer.append(contentsOf: self) }
}

extension WireBuffer {
  /// A one-dimensional array: dimensions, has-null flag, element type, length, lower bound, then sized elements.
  mutating func append<Element: PostgresEncodable>(array: [Element?]) {
    appendArrayHead(count: array.count, hasNull: array.contains { $0 == nil }, of: Element.postgresType)
    for element in array {
      guard let element else {
        append(Int32(-1))
        continue
      }
      appendSized { element.encode(into: &$0) }
    }
  }

  mutating func append<Element: PostgresEncodable>(array: [Element]) {
    appendArrayHead(count: array.count, hasNull: false, of: Element.postgresType)
    for element in array {
      appendSized { element.encode(into: &$0) }
    }
  }

  private mutating func appendArrayHead(count: Int, hasNull: Bool, of type: PostgresType) {
    append(Int32(count == 0 ? 0 : 1))
    append(Int32(hasNull ? 1 : 0))
    append(type.oid)
    guard count > 0 else { return }
    append(Int32(count))
    append(Int32(1))
  }
}

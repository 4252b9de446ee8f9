/// A value that can be read from a column in the server's binary format.
package protocol PostgresDecodable {
  static var postgresType: PostgresType { get }
  /// Whether a column of this type may be read as `Self`. Only `postgresType` itself unless a type says otherwise.
  static func accepts(oid: UInt32) -> Bool
  /// `nil` when the bytes are not such a value.
  init?(postgresBytes bytes: UnsafeRawBufferPointer)
}

extension PostgresDecodable {
  package static func accepts(oid: UInt32) -> Bool { oid == postgresType.oid }
}

extension PostgresDecodable where Self: RawRepresentable, RawValue: PostgresDecodable {
  package static var postgresType: PostgresType { RawValue.postgresType }
  package static func accepts(oid: UInt32) -> Bool { RawValue.accepts(oid: oid) }
  package init?(postgresBytes bytes: UnsafeRawBufferPointer) {
    guard let raw = RawValue(postgresBytes: bytes) else { return nil }
    self.init(rawValue: raw)
  }
}

extension UnsafeRawBufferPointer {
  /// The integer the bytes are in big-endian order; `nil` when their number is not the integer's size.
  func bigEndian<Integer: FixedWidthInteger>(_ type: Integer.Type = Integer.self) -> Integer? {
    guard count == MemoryLayout<Integer>.size else { return nil }
    return Integer(bigEndian: loadUnaligned(as: Integer.self))
  }
}

extension Bool: PostgresDecodable {
  package init?(postgresBytes bytes: UnsafeRawBufferPointer) {
    guard bytes.count == 1 else { return nil }
    self = bytes[0] != 0
  }
}

extension Int16: PostgresDecodable {
  package init?(postgresBytes bytes: UnsafeRawBufferPointer) {
    guard let value = bytes.bigEndian(Int16.self) else { return nil }
    self = value
  }
}

extension Int32: PostgresDecodable {
  package init?(postgresBytes bytes: UnsafeRawBufferPointer) {
    guard let value = bytes.bigEndian(Int32.self) else { return nil }
    self = value
  }
}

extension Int64: PostgresDecodable {
  package init?(postgresBytes bytes: UnsafeRawBufferPointer) {
    guard let value = bytes.bigEndian(Int64.self) else { return nil }
    self = value
  }
}

/// Reads any of the server's integers, since widening loses nothing.
extension Int: PostgresDecodable {
  package static func accepts(oid: UInt32) -> Bool {
    oid == PostgresType.int8.oid || oid == PostgresType.int4.oid || oid == PostgresType.int2.oid
  }
  package init?(postgresBytes bytes: UnsafeRawBufferPointer) {
    switch bytes.count {
    case 8: self = Int(Int64(bigEndian: bytes.loadUnaligned(as: Int64.self)))
    case 4: self = Int(Int32(bigEndian: bytes.loadUnaligned(as: Int32.self)))
    case 2: self = Int(Int16(bigEndian: bytes.loadUnaligned(as: Int16.self)))
    default: return nil
    }
  }
}

extension Double: PostgresDecodable {
  package init?(postgresBytes bytes: UnsafeRawBufferPointer) {
    guard let bits = bytes.bigEndian(UInt64.self) else { return nil }
    self.init(bitPattern: bits)
  }
}

/// Reads every type whose binary format is its text: `text`, `varchar`, `char(n)`, `name`.
extension String: PostgresDecodable {
  package static func accepts(oid: UInt32) -> Bool { oid == PostgresType.text.oid || [1043, 1042, 19].contains(oid) }
  package init?(postgresBytes bytes: UnsafeRawBufferPointer) {
    // The connection's encoding is UTF-8, and the server validates what it stores; repairing is never reached.
    self.init(decoding: bytes, as: UTF8.self)
  }
}

extension Array: PostgresDecodable where Element == UInt8 {
  package init?(postgresBytes bytes: UnsafeRawBufferPointer) { self.init(bytes) }
}

package import Postgres
package import PushCore

/// `timestamptz`.
extension Timestamp: PostgresEncodable, PostgresDecodable {
  package static var postgresType: PostgresType { .timestamptz }

  package func encode(into buffer: inout WireBuffer) {
    PostgresTimestamp(microseconds: microseconds).encode(into: &buffer)
  }

  package init?(postgresBytes bytes: UnsafeRawBufferPointer) {
    guard let stored = PostgresTimestamp(postgresBytes: bytes) else { return nil }
    self.init(microseconds: stored.microseconds)
  }
}

/// `bytea`.
extension DeviceToken: PostgresEncodable, PostgresDecodable {
  package static var postgresType: PostgresType { .bytea }
  package func encode(into buffer: inout WireBuffer) { bytes.encode(into: &buffer) }
  package init?(postgresBytes bytes: UnsafeRawBufferPointer) { self.init(stored: [UInt8](bytes)) }
}

/// `text`, byte for byte.
extension JSONText: PostgresEncodable, PostgresDecodable {
  package static var postgresType: PostgresType { .text }
  package func encode(into buffer: inout WireBuffer) { buffer.append(contentsOf: bytes) }
  package init?(postgresBytes bytes: UnsafeRawBufferPointer) { self.init(checked: [UInt8](bytes)) }
}

/// `text`; both protocols offer a type for what has a raw value, so each says which.
extension Reason: PostgresEncodable, PostgresDecodable {
  package static var postgresType: PostgresType { .text }
}

extension Permission: PostgresEncodable, PostgresDecodable {
  package static var postgresType: PostgresType { .text }
}

/// `smallint`.
extension DeliveryState: PostgresEncodable, PostgresDecodable {
  package static var postgresType: PostgresType { .int2 }
}

extension ReceiptKind: PostgresEncodable, PostgresDecodable {
  package static var postgresType: PostgresType { .int2 }
}

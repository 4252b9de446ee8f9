/// A 16-byte identifier that travels as `uuid`: conform the domain's own id types to it.
///
/// The two halves are the bytes in network order: `high` the first eight, `low` the last eight. Sixteen bytes on the
/// wire where the text format has 36.
package protocol PostgresUUIDRepresentable: PostgresEncodable, PostgresDecodable {
  var uuidHalves: (high: UInt64, low: UInt64) { get }
  init(uuidHalves: (high: UInt64, low: UInt64))
}

extension PostgresUUIDRepresentable {
  package static var postgresType: PostgresType { .uuid }

  package static func accepts(oid: UInt32) -> Bool { oid == PostgresType.uuid.oid }

  package func encode(into buffer: inout WireBuffer) {
    let halves = uuidHalves
    buffer.append(halves.high)
    buffer.append(halves.low)
  }

  package init?(postgresBytes bytes: UnsafeRawBufferPointer) {
    guard bytes.count == 16 else { return nil }
    self.init(
      uuidHalves: (
        high: UInt64(bigEndian: bytes.loadUnaligned(as: UInt64.self)),
        low: UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: 8, as: UInt64.self))
      ))
  }
}

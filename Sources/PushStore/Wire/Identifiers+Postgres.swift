internal import Postgres
package import PushCore

/// Ids travel as `uuid`.
extension ID: PostgresUUIDRepresentable {
  package var uuidHalves: (high: UInt64, low: UInt64) {
    (UInt64(truncatingIfNeeded: value >> 64), UInt64(truncatingIfNeeded: value))
  }

  package init(uuidHalves halves: (high: UInt64, low: UInt64)) {
    self.init(UInt128(halves.high) << 64 | UInt128(halves.low))
  }
}

/// A `uuid` that is no typed id: an `apns-id`.
struct StoredUUID: PostgresUUIDRepresentable {
  let value: UInt128

  init(_ value: UInt128) { self.value = value }
  init(uuidHalves halves: (high: UInt64, low: UInt64)) {
    value = UInt128(halves.high) << 64 | UInt128(halves.low)
  }

  var uuidHalves: (high: UInt64, low: UInt64) {
    (UInt64(truncatingIfNeeded: value >> 64), UInt64(truncatingIfNeeded: value))
  }
}

extension ID {
  /// Below and above every id that is made: the ends of a range over everybody.
  static var lowest: ID { ID(0) }

  /// Above every id made until now, here or by a process whose clock is up to five minutes ahead.
  static func highestSoFar() -> ID {
    ID(UUIDv7.lowerBound(at: Timestamp.now().advanced(bySeconds: 300)))
  }

  var bytes: [UInt8] { withUnsafeBytes(of: value.bigEndian) { [UInt8]($0) } }
}

/// A `timestamptz`: microseconds since the Unix epoch.
///
/// A plain value. On the wire it is eight bytes counting from 2000-01-01 UTC, so no time zone and no text is involved.
/// The server's `infinity` and `-infinity` are `distantFuture` and `distantPast`.
package struct PostgresTimestamp: Sendable, Hashable, Comparable {
  package let microseconds: Int64

  package init(microseconds: Int64) { self.microseconds = microseconds }

  package static let distantFuture = PostgresTimestamp(microseconds: .max)
  package static let distantPast = PostgresTimestamp(microseconds: .min)

  package static func < (left: PostgresTimestamp, right: PostgresTimestamp) -> Bool {
    left.microseconds < right.microseconds
  }

  /// 10 957 days between 1970-01-01 and 2000-01-01.
  private static let epochOffset: Int64 = 946_684_800_000_000
}

extension PostgresTimestamp: PostgresEncodable, PostgresDecodable {
  package static var postgresType: PostgresType { .timestamptz }

  package func encode(into buffer: inout WireBuffer) {
    let (wire, overflow) = microseconds.subtractingReportingOverflow(Self.epochOffset)
    guard microseconds != .max, !overflow else {
      buffer.append(microseconds < 0 ? Int64.min : Int64.max)
      return
    }
    buffer.append(wire)
  }

  package init?(postgresBytes bytes: UnsafeRawBufferPointer) {
    guard let wire = bytes.bigEndian(Int64.self) else { return nil }
    let (sum, overflow) = wire.addingReportingOverflow(Self.epochOffset)
    self.init(microseconds: wire == .min ? .min : overflow ? .max : sum)
  }
}

import Postgres

/// An id type as the domain has them.
struct TestID: PostgresUUIDRepresentable, Hashable {
  let uuidHalves: (high: UInt64, low: UInt64)

  init(uuidHalves: (high: UInt64, low: UInt64)) { self.uuidHalves = uuidHalves }

  init(_ number: UInt64) { uuidHalves = (0x0198_0000_0000_7000, 0x8000_0000_0000_0000 | number) }

  static func == (left: TestID, right: TestID) -> Bool { left.uuidHalves == right.uuidHalves }

  func hash(into hasher: inout Hasher) {
    hasher.combine(uuidHalves.high)
    hasher.combine(uuidHalves.low)
  }
}

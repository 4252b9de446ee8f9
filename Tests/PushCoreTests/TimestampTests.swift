import PushCore
import Testing

@Suite struct TimestampTests {
  @Test(arguments: [
    ("1970-01-01T00:00:00Z", 0),
    ("2026-12-01T09:00:00Z", 1_796_115_600_000_000),
    ("2026-12-01t09:00:00z", 1_796_115_600_000_000),
    ("2026-12-01 10:00:00+01:00", 1_796_115_600_000_000),
    ("2026-12-01T03:30:00.000001-05:30", 1_796_115_600_000_001),
    // Digits past microseconds are cut, not rounded.
    ("2026-12-01T09:00:00.1234569Z", 1_796_115_600_123_456),
    ("1969-12-31T23:59:59.5Z", -500_000),
    // A leap second is the second after it.
    ("2016-12-31T23:59:60Z", 1_483_228_800_000_000),
    ("2024-02-29T00:00:00Z", 1_709_164_800_000_000),
  ])
  func readsEveryFormOfRFC3339(_ text: String, _ microseconds: Int64) {
    #expect(Timestamp(rfc3339: text)?.microseconds == microseconds)
  }

  @Test(arguments: [
    "", "2026-12-01", "2026-12-01T09:00:00", "2026-12-01T09:00Z", "2026-13-01T09:00:00Z", "2026-02-29T09:00:00Z",
    "2026-12-01T24:00:00Z", "2026-12-01T09:60:00Z", "2026-12-01T09:00:61Z", "2026-12-01T09:00:00.Z",
    "2026-12-01T09:00:00+25:00", "2026-12-01T09:00:00Z ", "１926-12-01T09:00:00Z", "+026-12-01T09:00:00Z",
  ])
  func refusesEverythingElse(_ text: String) {
    #expect(Timestamp(rfc3339: text) == nil)
  }

  @Test func showsUTCWithMilliseconds() {
    #expect(Timestamp(microseconds: 1_796_115_600_123_999).rfc3339 == "2026-12-01T09:00:00.123Z")
    #expect(Timestamp(microseconds: -1).rfc3339 == "1969-12-31T23:59:59.999Z")
  }

  @Test func whatIsShownReadsBack() {
    for day in stride(from: Int64(-200_000), to: 200_000, by: 97) {
      let time = Timestamp(seconds: day * 86_400 + 12_345)
      #expect(Timestamp(rfc3339: time.rfc3339) == time)
    }
  }
}

import PushCore
import Testing

@testable import APNs

@Suite struct ErrorBodyTests {
  private func read(_ text: String) -> ErrorBody {
    Array(text.utf8).withUnsafeBytes { ErrorBody($0) }
  }

  @Test(arguments: [
    (#"{"reason":"BadDeviceToken"}"#, "BadDeviceToken"), (#" { "reason" : "Shutdown" } "#, "Shutdown"),
    (#"{"other":{"reason":"No","a":[1,"}"]},"x":true,"reason":"Yes"}"#, "Yes"),
    (#"{"reason":"Cut","timest"#, "Cut"), (#"{"reason":"a\"b\u0041"}"#, #"a"b?0041"#),
    (#"{"reason":"<b>\#u{1}é"}"#, "<b>???"),
  ])
  func aReasonIsReadAsFarAsItCanBe(body: String, reason: String) {
    #expect(read(body).reason == reason)
  }

  @Test(arguments: [
    "", "{", "{}", "[]", "null", "<html><body>403</body></html>", #"{"reason":"#, #"{"reason":"Bad"#, #"{"reason":17}"#,
    #"{"reason":null}"#, #"{"reason":{"reason":"x"}}"#, #"{"reason":""}"#, #"{"a":[[[[["#, "\u{0}\u{1}",
  ])
  func whatHasNoReasonHasNone(body: String) {
    #expect(read(body).reason == nil)
  }

  @Test func aLongReasonIsCut() {
    #expect(read(#"{"reason":"\#(String(repeating: "x", count: 500))"}"#).reason?.utf8.count == Reason.maximumLength)
  }

  @Test func ofAHugeBodyOnlyTheStartIsRead() {
    let padding = String(repeating: " ", count: 10_000_000)
    #expect(read("{\(padding)\"reason\":\"x\"}").reason == nil)
    #expect(read("{\"reason\":\"x\"\(padding)}").reason == "x")
  }

  /// Every prefix of a good answer, and every single-byte damage to it, is read without a trap.
  @Test func damageIsSurvived() {
    let good = Array(#"{"reason":"Unregistered","timestamp":1700000000123,"x":["\\",{}]}"#.utf8)
    for length in 0...good.count { _ = good[..<length].withUnsafeBytes { ErrorBody($0) } }
    for index in good.indices {
      for byte in [UInt8(0), UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "}"), UInt8(ascii: "["), 0xff] {
        var damaged = good
        damaged[index] = byte
        _ = damaged.withUnsafeBytes { ErrorBody($0) }
      }
    }
  }

  @Test(
    arguments: [
      ("1700000000123", Timestamp(milliseconds: 1_700_000_000_123)),
      (#""1700000000123""#, Timestamp(milliseconds: 1_700_000_000_123)),
      ("1.700000000123e12", Timestamp(milliseconds: 1_700_000_000_123)),
      // Looks like seconds.
      ("1700000000", Timestamp(seconds: 1_700_000_000)),
      // Looks like microseconds.
      ("1700000000123456", Timestamp(milliseconds: 1_700_000_000_123)),
      // Later than now.
      ("1900000000000", Fixture.now),
      ("0", nil), ("-5", nil), ("true", nil), (#""soon""#, nil), ("99999999999999999999999", nil), ("1e400", nil),
      ("9223372036854775807", nil),
    ] as [(String, Timestamp?)])
  func theTimestampIsGuarded(value: String, expected: Timestamp?) {
    let body = read(#"{"reason":"Unregistered","timestamp":\#(value)}"#)
    #expect(body.deadSince(answeredAt: Fixture.now) == expected)
  }
}

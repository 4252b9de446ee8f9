import HTTP2
import Testing

struct ErrorCodeTests {
  @Test func codesHaveTheNumbersOfTheStandard() {
    // RFC 9113, section 7.
    #expect(HTTP2ErrorCode.refusedStream.rawValue == 7)
    #expect(HTTP2ErrorCode.cancel.rawValue == 8)
    #expect(HTTP2ErrorCode.enhanceYourCalm.rawValue == 11)
  }
}

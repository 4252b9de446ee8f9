import HTTP
import HTTPServer
import Testing

@Suite struct RefusalTests {
  @Test(arguments: Refusal.allCases)
  func everyRefusalHasAProblemOfOurForm(refusal: Refusal) {
    let problem = refusal.problem
    let text = String(decoding: problem.body, as: UTF8.self)
    #expect(problem.status == refusal.status)
    #expect(problem.fields["Content-Type"] == "application/problem+json")
    #expect(text.hasPrefix("{\"type\":\"about:blank\",\"title\":\"\(refusal.status.reason)\""))
    #expect(text.contains("\"status\":\(refusal.status.code),\"code\":\"\(refusal.rawValue)\",\"detail\":\""))
    #expect(text.hasSuffix(".\"}"))
    #expect((problem.fields["Retry-After"] != nil) == (refusal.status == .serviceUnavailable))
  }
}

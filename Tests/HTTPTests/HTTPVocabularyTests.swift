import HTTP
import Testing

@Suite struct HTTPVocabularyTests {
  @Test(arguments: [
    (0, "Thu, 01 Jan 1970 00:00:00 GMT"),
    // The example of RFC 9110 section 5.6.7.
    (784_111_777, "Sun, 06 Nov 1994 08:49:37 GMT"),
    // A leap day of a century, the day behind it, the end of a leap year and of a common one.
    (951_827_696, "Tue, 29 Feb 2000 12:34:56 GMT"),
    (951_868_800, "Wed, 01 Mar 2000 00:00:00 GMT"),
    (1_735_689_599, "Tue, 31 Dec 2024 23:59:59 GMT"),
    (4_107_542_400, "Mon, 01 Mar 2100 00:00:00 GMT"),
  ])
  func datesHaveTheFixedFormat(seconds: Int, text: String) {
    #expect(HTTPDate.text(epochSeconds: seconds) == text)
  }

  @Test func methodsAreCaseSensitive() {
    for method in HTTPMethod.allCases {
      #expect(HTTPMethod(Array(method.rawValue.utf8).span) == method)
      #expect(HTTPMethod(Array(method.rawValue.lowercased().utf8).span) == nil)
    }
    #expect(HTTPMethod(Array("PRI".utf8).span) == nil)
    #expect(HTTPMethod([UInt8]().span) == nil)
  }

  @Test func statusesKnowTheirPhraseAndWhetherABodyMayFollow() {
    #expect(HTTPStatus.contentTooLarge.description == "413 Content Too Large")
    #expect(HTTPStatus(299).description == "299")
    #expect(!HTTPStatus.noContent.allowsBody)
    #expect(!HTTPStatus.notModified.allowsBody)
    #expect(!HTTPStatus(100).allowsBody)
    #expect(HTTPStatus.ok.allowsBody)
  }
}

import Testing
@testable import Transport

@Suite(.timeLimit(.minutes(1)))
struct SocketAddressTests {
  @Test(arguments: [("127.0.0.1", "127.0.0.1:80"), ("::1", "[::1]:80"), ("2001:DB8::0:1", "[2001:db8::1]:80")])
  func addressesInNumbersAreReadAndWritten(_ text: String, _ expected: String) {
    #expect(SocketAddress(numeric: text, port: 80)?.description == expected)
  }

  @Test(arguments: ["localhost", "127.1", "1.2.3.4.5", "[::1]", "", "1.2.3.4 "])
  func everythingElseIsForTheResolver(_ text: String) {
    #expect(SocketAddress(numeric: text, port: 80) == nil)
  }

  @Test func addressesSurviveTheSystemsForm() {
    for text in ["10.1.2.3", "fe80::1"] {
      let address = SocketAddress(numeric: text, port: 8443)
      #expect(address?.withSystemAddress { pointer, _ in SocketAddress(copying: pointer) } == address)
    }
  }

  @Test func loopbackIsRecognised() {
    #expect(SocketAddress.loopback(port: 1).isLoopback)
    #expect(SocketAddress(numeric: "127.8.8.8", port: 1)?.isLoopback == true)
    #expect(SocketAddress(numeric: "::1", port: 1)?.isLoopback == true)
    #expect(SocketAddress(numeric: "::", port: 1)?.isLoopback == false)
    #expect(SocketAddress(numeric: "10.0.0.1", port: 1)?.isLoopback == false)
  }
}

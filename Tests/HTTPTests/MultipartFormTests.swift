import HTTP
import TestSupport
import Testing

@Suite struct MultipartFormTests {
  private static func parse(
    _ body: String, boundary: String = "xyz", limits: MultipartForm.Limits = .init()
  ) throws -> MultipartForm {
    try MultipartForm(
      parsing: Array(body.utf8), contentType: MediaType(parsing: "multipart/form-data; boundary=\"\(boundary)\""),
      limits: limits)
  }

  private static func part(_ header: String, _ body: String = "v") -> String {
    "--xyz\r\n\(header)\r\n\r\n\(body)\r\n"
  }

  @Test func anUploadedKeyArrivesByteForByte() throws {
    // As curl -F 'p8=@AuthKey.p8' -F team_id=ABCDE12345 sends it.
    let pem = "-----BEGIN PRIVATE KEY-----\r\nMIGT--xyz\r\n--xy\r\n-----END PRIVATE KEY-----\n"
    let form = try Self.parse(
      Self.part(
        "Content-Disposition: form-data; name=\"p8\"; filename=\"AuthKey.p8\"\r\nContent-Type: application/octet-stream",
        pem) + Self.part("Content-Disposition: form-data; name=\"team_id\"", "ABCDE12345") + "--xyz--\r\n")
    #expect(form.parts.map(\.name) == ["p8", "team_id"])
    #expect(form["p8"]?.filename == "AuthKey.p8")
    #expect(form["p8"]?.contentType?.essence == "application/octet-stream")
    #expect(form["p8"]?.body == Array(pem.utf8))
    #expect(form["team_id"]?.body == Array("ABCDE12345".utf8))
    #expect(form["team_id"]?.filename == nil)
  }

  @Test func aBodyMayBeEmptyOrBinaryAndTheFormMayBeEmpty() throws {
    let form = try Self.parse(
      Self.part("content-disposition:form-data;name=a", "")
        + Self.part("Content-Disposition: form-data; name=\"b\"", "\0\r\n\r\r\n-") + "--xyz--")
    #expect(form["a"]?.body == [])
    #expect(form["b"]?.body == Array("\0\r\n\r\r\n-".utf8))
    #expect(try Self.parse("--xyz--\r\n").parts.isEmpty)
  }

  @Test func aNameGivenTwiceHasNoSingleAnswer() throws {
    let one = Self.part("Content-Disposition: form-data; name=\"p8\"")
    let form = try Self.parse(one + one + "--xyz--")
    #expect(form["p8"] == nil)
    #expect(form.parts.count == 2)
  }

  @Test func namesAreUnescapedAsBrowsersAndCurlWriteThem() throws {
    let form = try Self.parse(
      Self.part("Content-Disposition: form-data; name=\"a%22b%0D%0Ac 100%\"; filename=\"d\\\"e\\\\f.p8\"") + "--xyz--")
    #expect(form.parts.first?.name == "a\"b\r\nc 100%")
    #expect(form.parts.first?.filename == "d\"e\\f.p8")
  }

  @Test(arguments: [
    "", "--xyz", "--xyz\r\n", "--xyz-", "--xyzz--", "preamble\r\n--xyz--", "\r\n--xyz--", "--xyz--\r\n\r\n", "--xyz--x",
    "--xyz--\n", "--xyz \r\nContent-Disposition: form-data; name=a\r\n\r\nv\r\n--xyz--",
    "--xyz\r\nContent-Disposition: form-data; name=a\r\n\r\nv",
    "--xyz\r\nContent-Disposition: form-data; name=a\r\n\r\nv\r\n--xyz",
    "--xyz\r\nContent-Disposition: form-data; name=a\r\n\r\nv--xyz--",
    "--xyz\nContent-Disposition: form-data; name=a\n\nv\n--xyz--",
    "--xyz\r\nContent-Disposition: form-data; name=a\r\n--xyz--",
  ])
  func aBodyThatIsNotFramedExactlyIsRefused(body: String) {
    let error = #expect(throws: HTTPError.self) { try Self.parse(body) }
    #expect(error?.code == .malformedMultipart)
  }

  @Test(arguments: [
    "", "Content-Type: text/plain", "Content-Disposition: form-data", "Content-Disposition: attachment; name=a",
    "Content-Disposition: form-data; name=\"\"", "Content-Disposition: form-data; name=\"a",
    "Content-Disposition: form-data; name=a; name=b", "Content-Disposition: form-data; name=a x",
    "Content-Disposition: form-data; name=a; filename*=UTF-8''b", "Content-Disposition: form-data; name=a; size=3",
    "Content-Disposition: form-data; name=a\r\nContent-Disposition: form-data; name=b",
    "Content-Disposition : form-data; name=a", ": x\r\nContent-Disposition: form-data; name=a",
    "Content-Disposition: form-data;\r\n name=a", "Content-Disposition: form-data; name=a\r\nContent-Encoding: gzip",
    "Content-Disposition: form-data; name=a\r\nContent-Transfer-Encoding: base64",
    "Content-Disposition: form-data; name=a\r\nContent-Type: nonsense",
    "Content-Disposition: form-data; name=a\r\nContent-Type: a/b\r\nContent-Type: a/b",
  ])
  func aPartWithAMalformedHeaderIsRefused(header: String) {
    #expect(throws: HTTPError.self) { try Self.parse(Self.part(header) + "--xyz--") }
  }

  @Test func harmlessTransferEncodingsAndForeignFieldsPass() throws {
    let form = try Self.parse(
      Self.part("Content-Disposition: form-data; name=a\r\nContent-Transfer-Encoding: binary\r\nX-Note: b") + "--xyz--")
    #expect(form["a"]?.body == Array("v".utf8))
  }

  @Test func partsAndTheirSizesAreBounded() throws {
    var limits = MultipartForm.Limits()
    limits.parts = 2
    limits.partBody = 4
    limits.partHeader = 64
    let small = Self.part("Content-Disposition: form-data; name=a", "1234")
    #expect(try Self.parse(small + small + "--xyz--", limits: limits).parts.count == 2)
    let tooLarge = [
      small + small + small + "--xyz--",
      Self.part("Content-Disposition: form-data; name=a", "12345") + "--xyz--",
      Self.part("Content-Disposition: form-data; name=\(String(repeating: "a", count: 64))") + "--xyz--",
      Self.part("Content-Disposition: form-data; name=a\r\nX: 1\r\nX: 2\r\nX: 3\r\nX: 4\r\nX: 5") + "--xyz--",
    ]
    for body in tooLarge {
      let error = #expect(throws: HTTPError.self) { try Self.parse(body, limits: limits) }
      #expect(error?.code == .multipartTooLarge)
    }
  }

  @Test(arguments: [
    "multipart/form-data", "multipart/mixed; boundary=xyz", "multipart/form-data; boundary=\"\"",
    "multipart/form-data; boundary=\"x \"", "multipart/form-data; boundary=\"x;y\"",
    "multipart/form-data; boundary=" + String(repeating: "x", count: 71),
  ])
  func aMediaTypeWithoutAUsableBoundaryIsRefused(contentType: String) throws {
    let type = try MediaType(parsing: contentType)
    #expect(throws: HTTPError.self) { try MultipartForm(parsing: Array("--xyz--".utf8), contentType: type) }
  }

  @Test func mutilatedFormsNeverTrap() {
    let form = Array(
      (Self.part("Content-Disposition: form-data; name=\"p8\"; filename=\"k\"\r\nContent-Type: a/b; c=d")
        + Self.part("Content-Disposition: form-data; name=b", "") + "--xyz--\r\n").utf8)
    let type = try? MediaType(parsing: "multipart/form-data; boundary=xyz")
    var generator = SplitMix(seed: 7)
    for _ in 0..<5_000 {
      let mutant = generator.mutate(form)
      // Parsed or refused: both are right, a trap is not.
      if let type { _ = try? MultipartForm(parsing: mutant, contentType: type) }
    }
  }
}

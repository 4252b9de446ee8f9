import HTTP
import HTTPServer
import TestSupport
import Testing

@Suite struct RequestReaderTests {
  @Test(arguments: Probe.refused + Probe.table.filter { $0.statuses[0] >= 400 && !$0.staysOpen })
  func whatCouldHideARequestIsRefused(probe: Probe) {
    let run = ReaderRun(probe.bytes)
    guard case .refused(let refusal) = run.end else {
      Issue.record("read as \(run)")
      return
    }
    #expect(run.requests.isEmpty)
    #expect(Int(refusal.status.code) == probe.statuses[0])
  }

  @Test(arguments: Probe.accepted)
  func whatIsUnusualButRightIsRead(probe: Probe) {
    let run = ReaderRun(probe.bytes)
    #expect(run.requests.count == probe.statuses.count)
    #expect(run.end == (probe.staysOpen ? .idle : .closed))
    #expect(!run.requests.contains { $0.target == "/hidden" })
  }

  /// The large ones are cut at a few thousand places; the others at each.
  @Test(arguments: Probe.table + Probe.refused + Probe.accepted)
  func theAnswerDoesNotDependOnHowTheBytesAreCut(probe: Probe) {
    let whole = ReaderRun(probe.bytes)
    let count = probe.bytes.count
    for cut in stride(from: 0, through: count, by: count < 2_000 ? 1 : 97) {
      #expect(ReaderRun(probe.bytes, cutAt: [cut]) == whole, "cut at \(cut)")
    }
    #expect(ReaderRun(probe.bytes, cutAt: Array(0..<count)) == whole, "cut at every byte")
  }

  @Test func aRequestIsReadWhole() {
    let run = ReaderRun(
      Array("PATCH /push/v1/a?b=c HTTP/1.1\r\nHost: example.com\r\nX-A:  b c \r\nContent-Length: 3\r\n\r\nxyz".utf8))
    #expect(
      run.requests == [
        .init(
          method: .patch, target: "/push/v1/a?b=c",
          fields: ["Host": "example.com", "X-A": "b c", "Content-Length": "3"], body: Array("xyz".utf8),
          keepsAlive: true)
      ])
  }

  @Test func chunksAreJoined() {
    let run = ReaderRun(
      Array(Probe.post("Transfer-Encoding: chunked\r\n", "2\r\nab\r\n1\r\nc\r\n03\r\n\r\nd\r\n0\r\n\r\n").utf8))
    #expect(run.requests.map(\.body) == [Array("abc\r\nd".utf8)])
  }

  @Test func theLimitOfABodyIsExact() {
    func post(_ count: Int) -> [UInt8] {
      Array(Probe.post("Content-Length: \(count)\r\n", String(repeating: "x", count: count)).utf8)
    }
    #expect(ReaderRun(post(ReaderRun.bodyLimit)).requests.count == 1)
    #expect(ReaderRun(post(ReaderRun.bodyLimit + 1)).end == .refused(.bodyTooLarge))
  }

  @Test func theLimitOfAChunkedBodyCountsItsContent() {
    func post(_ chunks: Int) -> [UInt8] {
      let body = String(repeating: "10\r\n0123456789abcdef\r\n", count: chunks) + "0\r\n\r\n"
      return Array(Probe.post("Transfer-Encoding: chunked\r\n", body).utf8)
    }
    #expect(ReaderRun(post(ReaderRun.bodyLimit / 16)).requests.count == 1)
    #expect(ReaderRun(post(ReaderRun.bodyLimit / 16 + 1)).end == .refused(.bodyTooLarge))
  }

  @Test func theLimitsOfAHeadAreExact() {
    var limits = RequestLimits()
    limits.head = 64
    limits.target = 10
    limits.fields = 2
    func end(_ text: String) -> ReaderRun.End { ReaderRun(Array(text.utf8), limits: limits).end }

    // 27 bytes without the value.
    func head(_ value: Int) -> String { "GET / HTTP/1.1\r\nHost: \(String(repeating: "a", count: value))\r\n\r\n" }
    #expect(end(head(64 - 26)) == .idle)
    #expect(end(head(64 - 25)) == .refused(.headTooLarge))

    #expect(end("GET /234567890 HTTP/1.1\r\nHost: a\r\n\r\n") == .idle)
    #expect(end("GET /2345678901 HTTP/1.1\r\nHost: a\r\n\r\n") == .refused(.targetTooLong))

    #expect(end("GET / HTTP/1.1\r\nHost: a\r\nB: c\r\n\r\n") == .idle)
    #expect(end("GET / HTTP/1.1\r\nHost: a\r\nB: c\r\nD: e\r\n\r\n") == .refused(.headTooLarge))
  }

  @Test func anUnfinishedRequestIsNotIdle() {
    #expect(ReaderRun([]).end == .idle)
    #expect(ReaderRun(Array("G".utf8)).end == .waiting)
    #expect(ReaderRun(Array("\r".utf8)).end == .waiting)
    #expect(ReaderRun(Array(Probe.post("Content-Length: 7\r\n", "{").utf8)).end == .waiting)
    #expect(ReaderRun(Array(Probe.get().utf8)).end == .idle)
  }

  @Test func onlyABodyStillToComeIsWorthA100() throws {
    func expects(_ text: String) throws -> Bool {
      var reader = RequestReader(limits: RequestLimits())
      var offset = 0
      guard case .head = try reader.read(Array(text.utf8).span, from: &offset) else { return false }
      try reader.beginBody(limit: 10)
      return reader.expectsContinue
    }
    #expect(try expects(Probe.post("Content-Length: 7\r\nExpect: 100-Continue\r\n", "")))
    #expect(try expects(Probe.post("Transfer-Encoding: chunked\r\nExpect: 100-continue\r\n", "")))
    #expect(try !expects(Probe.post("Content-Length: 0\r\nExpect: 100-continue\r\n", "")))
    #expect(try !expects(Probe.post("Content-Length: 7\r\n", "")))
  }

  @Test func mutilatedRequestsNeverTrapAndNeverDependOnCuts() {
    var generator = SplitMix(seed: 101)
    let seeds = (Probe.table + Probe.refused + Probe.accepted).map(\.bytes).filter { $0.count < 500 }
    for _ in 0..<200 {
      for seed in seeds {
        let mutant = generator.mutate(seed)
        let cut = Int.random(in: 0...mutant.count, using: &generator)
        #expect(ReaderRun(mutant, cutAt: [cut]) == ReaderRun(mutant))
      }
    }
  }
}

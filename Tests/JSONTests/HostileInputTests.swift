import Glibc
import JSON
import Testing

@Suite("Hostile input")
struct HostileInputTests {
  @Test("100 000 brackets are refused on a thread with a small stack, for every limit of depth")
  func deepNesting() {
    let texts = ["[", "{\"a\":", "[{\"a\":", "{\"a\":["].map { Array(String(repeating: $0, count: 100_000).utf8) }
    SmallStackThread.run {
      for limits in [JSONLimits(), JSONLimits(maxBytes: 1 << 24, maxDepth: JSONLimits.deepest)] {
        for text in texts {
          #expect(throws: JSONError.self) { try JSONValue(parsing: text, limits: limits) }
        }
      }
    }
  }

  @Test("The deepest allowed tree is read, compared, written and freed on a thread with a small stack")
  func deepestTree() {
    let depth = JSONLimits.deepest
    let text = Array((String(repeating: "{\"a\":[", count: depth / 2) + String(repeating: "]}", count: depth / 2)).utf8)
    SmallStackThread.run {
      #expect(throws: Never.self) {
        let value = try JSONValue(parsing: text, limits: JSONLimits(maxDepth: depth))
        #expect(value.encoded() == text)
        #expect(try JSONValue(parsing: text, limits: JSONLimits(maxDepth: depth)) == value)
      }
    }
  }

  private static let document = Array(
    """
    {"app_id":"app_01","target":{"type":"user","id":"user_8123"},"title":"Ol\u{e9} \\ud83d\\ude00 \\n","n":[0,-1.5e+3,1e400],
     "data":{"any":null,"t":true,"f":false,"nested":[[],{},[{"k":"v\\\\\\""}]]},"long":"\(String(repeating: "x", count: 80))"}
    """.utf8)

  @Test("Every beginning of a document is refused, but the whole")
  func truncations() throws {
    for length in 0..<Self.document.count {
      #expect(throws: JSONError.self) { try JSONValue(parsing: Array(Self.document[..<length])) }
    }
    #expect(throws: Never.self) { try JSONValue(parsing: Self.document) }
  }

  @Test("A document at the very end of readable memory is read without a look beyond")
  func guardPage() throws {
    let page = Int(sysconf(Int32(_SC_PAGESIZE)))
    let memory = try #require(mmap(nil, 2 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0))
    defer { munmap(memory, 2 * page) }
    try #require(mprotect(memory + page, page, PROT_NONE) == 0)
    for length in 1...Self.document.count {
      let start = memory + page - length
      start.copyMemory(from: Self.document, byteCount: length)
      let isWhole = length == Self.document.count
      let value = try? JSONValue(parsing: UnsafeRawBufferPointer(start: start, count: length))
      #expect((value != nil) == isWhole)
    }
  }

  @Test("Changed documents are refused, or read and written back to the same value")
  func mutations() throws {
    var random = SplitMix(seed: 1)
    let interesting = Array("\"\\{}[]:,0123456789.eE+-tfnu \t\n/".utf8) + [0, 0x1f, 0x7f, 0x80, 0xc0, 0xed, 0xf4, 0xff]
    var accepted = 0
    for _ in 0..<30_000 {
      var bytes = Self.document
      for _ in 0...Int(random.next() % 3) {
        let place = Int(random.next() % UInt64(bytes.count))
        let byte = interesting[Int(random.next() % UInt64(interesting.count))]
        switch random.next() % 4 {
        case 0: bytes[place] = byte
        case 1: bytes.insert(byte, at: place)
        case 2: bytes.remove(at: place)
        default:
          let length = min(Int(random.next() % 8), bytes.count - place)
          bytes.insert(contentsOf: bytes[place..<(place + length)], at: Int(random.next() % UInt64(bytes.count)))
        }
      }
      guard let value = try? JSONValue(parsing: bytes) else { continue }
      accepted += 1
      #expect(try JSONValue(parsing: value.encoded()) == value)
      #expect(String(validating: bytes, as: UTF8.self) != nil)
    }
    // Changes inside texts leave a document that can be read: a test in which nothing passes, or all, tests nothing.
    #expect((1000..<29_000).contains(accepted))
  }

  @Test("Random bytes never stop the process")
  func noise() {
    var random = SplitMix(seed: 2)
    for _ in 0..<20_000 {
      let bytes = (0..<Int(random.next() % 200)).map { _ in UInt8(truncatingIfNeeded: random.next()) }
      // Some one-byte texts are numbers; whether one is read does not matter here.
      _ = try? JSONValue(parsing: bytes)
    }
  }

  @Test("A large object of many names is read in time that grows with its size only")
  func manyNames() throws {
    // 20 000 names: compared one by one they would be 200 million comparisons.
    let text = "{" + (0..<20_000).map { "\"n\($0)\":0" }.joined(separator: ",") + "}"
    let value = try JSONValue(parsing: Array(text.utf8), limits: JSONLimits(maxBytes: 1 << 20))
    #expect(value.object?.count == 20_000)
  }

  @Test("Threads that read at once do not disturb one another")
  func concurrency() async throws {
    let correct = await withTaskGroup(of: Int.self) { group in
      for task in 0..<8 {
        group.addTask {
          (0..<500).count { number in
            let text = Array(
              "{\"task\":\(task),\"list\":[\(number),\"\(String(repeating: "é", count: number))\"]}".utf8)
            return (try? JSONValue(parsing: text))?.encoded() == text
          }
        }
      }
      return await group.reduce(0, +)
    }
    #expect(correct == 4000)
  }
}

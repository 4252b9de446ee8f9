import JSON
import Testing

@Suite("Writing JSON")
struct JSONWriterTests {
  private func written(_ body: (inout JSONWriter) -> Void) -> String {
    var writer = JSONWriter()
    body(&writer)
    return String(decoding: writer.bytes, as: UTF8.self)
  }

  @Test("Commas stand between members and elements, nowhere else")
  func commas() {
    let text = written { writer in
      writer.object { writer in
        writer.member("id", "x")
        writer.member("empty", [String]())
        writer.member("list", [1, 2])
        writer.member("none", String?.none)
        writer.member("left_out", ifPresent: Int?.none)
        writer.member("here", ifPresent: Int?.some(3))
        writer.name("inner")
        writer.object { $0.member("flag", true) }
        writer.name(text: "a\"b")
        writer.array { writer in
          writer.object { _ in }
          writer.null()
          writer.raw("{\"x\":1}")
          writer.raw(Array("2".utf8))
          writer.value(1.5)
        }
      }
    }
    #expect(
      text == "{\"id\":\"x\",\"empty\":[],\"list\":[1,2],\"none\":null,\"here\":3,\"inner\":{\"flag\":true},"
        + "\"a\\\"b\":[{},null,{\"x\":1},2,1.5]}")
    #expect(throws: Never.self) { try JSONValue(parsing: Array(text.utf8)) }
  }

  @Test("Numbers are written exactly")
  func numbers() {
    #expect(written { $0.value(Int64.min) } == "-9223372036854775808")
    #expect(written { $0.value(UInt64.max) } == "18446744073709551615")
    #expect(written { $0.value(0) } == "0")
    #expect(written { $0.value(0.1) } == "0.1")
    #expect(written { $0.value(1e300) } == "1e+300")
    #expect(written { $0.value(Double.nan) } == "null")
    #expect(written { $0.value(-Double.infinity) } == "null")
  }

  @Test("Every character that must be escaped is, at every place of a word, and no other")
  func escaping() throws {
    for scalar in (0...0x100).map({ Unicode.Scalar(UInt32($0))! }) {
      for position in 0..<17 {
        let text = String(repeating: "x", count: position) + String(Character(scalar)) + "é😀/"
        var bytes: [UInt8] = []
        JSONEscaping.append(text, to: &bytes)
        let isSpecial = scalar.value < 0x20 || scalar == "\"" || scalar == "\\"
        #expect(bytes.contains(UInt8(ascii: "\\")) == isSpecial)
        guard scalar.value != 0 else { continue }
        let quoted = [UInt8(ascii: "\"")] + bytes + [UInt8(ascii: "\"")]
        #expect(try JSONValue(parsing: quoted).string == text)
      }
    }
  }

  @Test("The short escapes are used where JSON has them")
  func shortEscapes() {
    #expect(written { $0.value("\u{8}\u{9}\u{a}\u{c}\u{d}\u{0}\u{1b}\"\\") } == #""\b\t\n\f\r\u0000\u001b\"\\""#)
  }

  @Test("A cleared writer starts again, and lines stand alone")
  func lines() {
    let text = written { writer in
      writer.value("gone")
      writer.clear()
      writer.value(1)
      writer.endLine()
      writer.value(2)
      writer.endLine()
    }
    #expect(text == "1\n2\n")
  }
}

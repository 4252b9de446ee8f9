internal import HTTP
internal import PushCore

/// What a request is called in the answer, the log and the caller's own log.
enum RequestID {
  static let header = "X-Request-ID"
  static let longest = 128

  /// The caller's own name for it when that is harmless, otherwise a new one.
  static func of(_ fields: HTTPFields) -> String {
    guard let text = fields[header], (1...longest).contains(text.utf8.count), text.utf8.allSatisfy(isHarmless) else {
      return make()
    }
    return text
  }

  private static func make() -> String {
    String(unsafeUninitializedCapacity: 4 + IDText.length) { buffer in
      _ = buffer.initialize(from: "req_".utf8)
      IDText.encode(
        UUIDv7.make(), into: UnsafeMutableRawBufferPointer(rebasing: UnsafeMutableRawBufferPointer(buffer)[4...]))
      return 4 + IDText.length
    }
  }

  /// Letters, digits and `-_.:`; nothing that means something to a log, a shell or a page.
  private static func isHarmless(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "z"),
      UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "."),
      UInt8(ascii: ":"):
      true
    default: false
    }
  }
}

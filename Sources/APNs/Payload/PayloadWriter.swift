internal import JSON
internal import PushCore

/// Writes the JSON of payloads: compact, members in the order given, text as UTF-8 with nothing escaped that need not be (Apple's limit
/// counts bytes, and `\/` or `\u00e9` are bytes lost), values of senders copied as they came.
///
/// A plain value that grows by what is written; its owner bounds what it writes.
struct PayloadWriter {
  private(set) var bytes: [UInt8] = []
  private var needsComma = false

  mutating func object(_ name: String? = nil, _ members: (inout PayloadWriter) -> Void) {
    open(name)
    bytes.append(UInt8(ascii: "{"))
    needsComma = false
    members(&self)
    bytes.append(UInt8(ascii: "}"))
    needsComma = true
  }

  mutating func member(_ name: String, _ text: String?) {
    guard let text else { return }
    open(name)
    quote(text)
    needsComma = true
  }

  mutating func member(_ name: String, _ number: Int?) {
    guard let number else { return }
    open(name)
    bytes += String(number).utf8
    needsComma = true
  }

  mutating func member(_ name: String, _ value: JSONText?) {
    guard let value else { return }
    open(name)
    bytes += value.bytes
    needsComma = true
  }

  mutating func member(_ name: String, _ texts: [String]) {
    guard !texts.isEmpty else { return }
    open(name)
    bytes.append(UInt8(ascii: "["))
    for (index, text) in texts.enumerated() {
      if index > 0 { bytes.append(UInt8(ascii: ",")) }
      quote(text)
    }
    bytes.append(UInt8(ascii: "]"))
    needsComma = true
  }

  /// Writes a member whose text of `length` bytes is filled in later, and returns where.
  mutating func slot(_ name: String, length: Int) -> Int {
    open(name)
    bytes.append(UInt8(ascii: "\""))
    let offset = bytes.count
    bytes.append(contentsOf: repeatElement(UInt8(ascii: "0"), count: length))
    bytes.append(UInt8(ascii: "\""))
    needsComma = true
    return offset
  }

  private mutating func open(_ name: String?) {
    if needsComma { bytes.append(UInt8(ascii: ",")) }
    guard let name else { return }
    quote(name)
    bytes.append(UInt8(ascii: ":"))
  }

  private mutating func quote(_ text: String) {
    bytes.append(UInt8(ascii: "\""))
    JSONEscaping.append(text, to: &bytes)
    bytes.append(UInt8(ascii: "\""))
  }
}

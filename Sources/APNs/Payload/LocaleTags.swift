/// Finds the variant for an installation's locale: the longest BCP 47 tag that it begins with, whatever the case, with `_` read as `-`
/// as Apple's own locale identifiers have it.
///
/// A plain value. A look-up allocates nothing: it is done once for each push.
struct LocaleTags: Sendable, Hashable {
  /// Canonical bytes and the variant's number, longest first.
  private let tags: [Tag]

  private struct Tag: Sendable, Hashable {
    let bytes: [UInt8]
    let variant: Int
  }

  /// Variant 0 is the message's own text; `locales[n]` is variant n + 1.
  init(_ locales: [String]) {
    tags = locales.enumerated()
      .map { Tag(bytes: $0.element.utf8.map(Self.canonical), variant: $0.offset + 1) }
      .sorted { $0.bytes.count > $1.bytes.count }
  }

  func variant(for locale: String?) -> Int {
    guard !tags.isEmpty, let locale else { return 0 }
    for tag in tags where Self.matches(tag.bytes, locale.utf8) { return tag.variant }
    return 0
  }

  static func canonical(_ byte: UInt8) -> UInt8 {
    switch byte {
    case UInt8(ascii: "A")...UInt8(ascii: "Z"): byte | 0x20
    case UInt8(ascii: "_"): UInt8(ascii: "-")
    default: byte
    }
  }

  private static func matches(_ tag: [UInt8], _ locale: String.UTF8View) -> Bool {
    var position = 0
    for byte in locale {
      if position == tag.count { return canonical(byte) == UInt8(ascii: "-") }
      guard canonical(byte) == tag[position] else { return false }
      position += 1
    }
    return position == tag.count
  }
}

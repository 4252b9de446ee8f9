internal import Crypto
internal import PushCore
internal import ServiceKit

/// Signs the keys of pages and reads them back: a cursor is opaque, and good only for the caller, path and filter that it was
/// given out for.
///
/// Owned by the handler; usable from any thread.
struct CursorCodec: Sendable {
  private let mac: HMACSHA256

  private static let keyLength = 16
  private static let codeLength = 16

  init(key: Secret<[UInt8]>) { mac = HMACSHA256(key: key.exposed) }

  func encode(_ key: PageKey, for context: CursorContext) -> String {
    let bytes = Self.bytes(key)
    return Base64URL.encode(bytes + mac.code(for: context.bytes + bytes).prefix(Self.codeLength))
  }

  /// `nil` when the text is no cursor of ours for this context.
  func decode(_ text: String, for context: CursorContext) -> PageKey? {
    guard text.utf8.count <= 64, let bytes = Base64URL.decode(text),
      bytes.count == Self.keyLength + Self.codeLength
    else { return nil }
    let key = Array(bytes.prefix(Self.keyLength))
    guard mac.isValid(Array(bytes.dropFirst(Self.keyLength)), for: context.bytes + key) else { return nil }
    return PageKey(key.reduce(0) { $0 << 8 | UInt128($1) })
  }

  private static func bytes(_ key: PageKey) -> [UInt8] {
    withUnsafeBytes(of: key.value.bigEndian) { Array($0) }
  }
}

/// What a cursor is bound to.
struct CursorContext: Sendable, Hashable {
  /// Each part with its length in front, so that no two lists of parts run together to the same bytes.
  let bytes: [UInt8]

  init(owner: String, path: [String], filters: [(name: String, value: String)]) {
    var bytes = Array("list cursor 1".utf8)
    for part in [owner] + path + filters.sorted(by: { $0.name < $1.name }).flatMap({ ["?\($0.name)", $0.value] }) {
      let text = Array(part.utf8)
      bytes += withUnsafeBytes(of: UInt32(text.count).bigEndian) { Array($0) } + text
    }
    self.bytes = bytes
  }
}

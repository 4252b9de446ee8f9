/// A place in a JSON document (RFC 6901), as text: `/apns/priority`, or nothing for the whole.
package struct JSONPointer: Hashable, Sendable, CustomStringConvertible {
  package static let root = JSONPointer("")

  /// One step: a member's name or an element's place.
  package enum Token: Sendable {
    case name(String)
    case index(Int)

    fileprivate var text: String {
      switch self {
      case .index(let index): String(index)
      case .name(let name): name.utf8.contains { $0 == tilde || $0 == slash } ? Self.escaped(name) : name
      }
    }

    private static func escaped(_ name: String) -> String {
      var bytes: [UInt8] = []
      for byte in name.utf8 {
        switch byte {
        case tilde: bytes += [tilde, UInt8(ascii: "0")]
        case slash: bytes += [tilde, UInt8(ascii: "1")]
        default: bytes.append(byte)
        }
      }
      return String(decoding: bytes, as: UTF8.self)
    }
  }

  /// Names come from whoever sent the document: a pointer that is longer is not worth answering.
  static let longest = 256

  package let text: String

  private init(_ text: String) { self.text = text }

  package func appending(_ token: Token) -> JSONPointer { JSONPointer(text + "/" + token.text) }
  package func appending(_ name: String) -> JSONPointer { appending(.name(name)) }
  package func appending(_ index: Int) -> JSONPointer { appending(.index(index)) }

  func prefixed(by token: Token) -> JSONPointer? {
    let longer = "/" + token.text + text
    return longer.utf8.count <= Self.longest ? JSONPointer(longer) : nil
  }

  package var description: String { text }
}

private let tilde = UInt8(ascii: "~")
private let slash = UInt8(ascii: "/")

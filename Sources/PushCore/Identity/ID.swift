/// What kind of thing an ``ID`` names; its prefix is the first part of the id's text.
package protocol IDKind {
  static var prefix: StaticString { get }
}

/// A typed identifier: 128 bits that sort by the time of their making (UUID version 7), so that rows written together
/// lie together.
///
/// In JSON it is the kind's prefix, an underscore and 26 characters of Crockford's base 32; in SQL it is a `uuid`. A plain
/// value: anyone may hold it, knowing it grants nothing.
package struct ID<Kind: IDKind>: Hashable, Sendable, Comparable {
  // Two halves and not one `UInt128`: the compiler (6.3.1, x86-64) passes a 16-byte integer that does not fit into registers to an
  // `async` function on a stack slot that the callee pops wrongly, and the task returns into nowhere. `DeliveryQueue.claim` did.
  private let high: UInt64
  private let low: UInt64

  package init(_ value: UInt128) {
    high = UInt64(truncatingIfNeeded: value >> 64)
    low = UInt64(truncatingIfNeeded: value)
  }

  package var value: UInt128 { UInt128(high) << 64 | UInt128(low) }

  /// A new id, made from the wall clock and 74 random bits.
  package static func make() -> ID { ID(UUIDv7.make()) }

  package static func < (left: ID, right: ID) -> Bool {
    (left.high, left.low) < (right.high, right.low)
  }
}

extension ID: CustomStringConvertible, LosslessStringConvertible {
  /// `nil` unless the text is this kind's prefix, an underscore and 26 canonical (lower-case) characters.
  package init?(_ text: String) {
    let prefix = Self.prefixBytes
    var text = text
    let value: UInt128? = text.withUTF8 { bytes in
      guard bytes.count == prefix.count + 1 + IDText.length,
        bytes.prefix(prefix.count).elementsEqual(prefix),
        bytes[prefix.count] == UInt8(ascii: "_")
      else { return nil }
      return IDText.decode(UnsafeRawBufferPointer(bytes).dropFirst(prefix.count + 1))
    }
    guard let value else { return nil }
    self.init(value)
  }

  package var description: String {
    let prefix = Self.prefixBytes
    return String(unsafeUninitializedCapacity: prefix.count + 1 + IDText.length) { buffer in
      _ = buffer.initialize(from: prefix)
      buffer[prefix.count] = UInt8(ascii: "_")
      IDText.encode(
        value,
        into: UnsafeMutableRawBufferPointer(rebasing: UnsafeMutableRawBufferPointer(buffer)[(prefix.count + 1)...]))
      return prefix.count + 1 + IDText.length
    }
  }

  private static var prefixBytes: UnsafeBufferPointer<UInt8> {
    UnsafeBufferPointer(start: Kind.prefix.utf8Start, count: Kind.prefix.utf8CodeUnitCount)
  }
}

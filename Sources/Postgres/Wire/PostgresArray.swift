/// Reads the binary format of one-dimensional arrays.
struct PostgresArray<Element: PostgresDecodable> {
  let elements: [Element?]

  /// `nil` when the bytes are not a one-dimensional (or empty) array of `Element`.
  init?(postgresBytes bytes: UnsafeRawBufferPointer) {
    var reader = WireReader(bytes)
    guard let dimensions = reader.int32(), reader.int32() != nil, let type = reader.int32() else { return nil }
    guard Element.accepts(oid: UInt32(bitPattern: type)) else { return nil }
    guard dimensions != 0 else {
      elements = []
      return
    }
    // The smallest element is its length, so a count beyond a quarter of the bytes is a lie and reserves nothing.
    guard dimensions == 1, let count = reader.int32(), reader.int32() != nil, count >= 0, count <= bytes.count / 4
    else { return nil }
    var elements: [Element?] = []
    elements.reserveCapacity(Int(count))
    for _ in 0..<count {
      guard let length = reader.int32() else { return nil }
      guard length >= 0 else {
        elements.append(nil)
        continue
      }
      guard let raw = reader.take(Int(length)), let element = Element(postgresBytes: raw) else { return nil }
      elements.append(element)
    }
    self.elements = elements
  }
}

/// Walks over bytes without going past their end.
private struct WireReader {
  private let bytes: UnsafeRawBufferPointer
  private var position = 0

  init(_ bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

  mutating func int32() -> Int32? { take(4)?.bigEndian() }

  mutating func take(_ count: Int) -> UnsafeRawBufferPointer? {
    guard count <= bytes.count - position else { return nil }
    defer { position += count }
    return UnsafeRawBufferPointer(rebasing: bytes[position..<position + count])
  }
}

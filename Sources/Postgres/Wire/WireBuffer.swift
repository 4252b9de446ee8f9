/// Bytes in the server's binary format: big-endian integers, lengths before values.
///
/// A value, filled by `PostgresEncodable.encode(into:)`; owned by a `Query` or a `CopyWriter`.
package struct WireBuffer: Sendable {
  private(set) var bytes: [UInt8] = []

  package init() {}

  package var count: Int { bytes.count }

  package mutating func append(_ value: some FixedWidthInteger) {
    withUnsafeBytes(of: value.bigEndian) { bytes.append(contentsOf: $0) }
  }

  package mutating func append(contentsOf raw: UnsafeRawBufferPointer) {
    bytes.append(contentsOf: raw)
  }

  package mutating func append(contentsOf raw: [UInt8]) {
    bytes.append(contentsOf: raw)
  }

  package mutating func append(utf8 text: String) {
    var text = text
    text.withUTF8 { bytes.append(contentsOf: $0) }
  }

  /// Appends a 32-bit length, then what `body` writes; the length is filled in afterwards.
  mutating func appendSized(_ body: (inout WireBuffer) -> Void) {
    let start = bytes.count
    append(Int32(0))
    body(&self)
    overwrite(at: start, with: Int32(bytes.count - start - 4))
  }

  mutating func overwrite(at offset: Int, with value: Int32) {
    bytes.withUnsafeMutableBytes { $0.storeBytes(of: value.bigEndian, toByteOffset: offset, as: Int32.self) }
  }

  mutating func removeAll() { bytes.removeAll(keepingCapacity: true) }

  mutating func truncate(to count: Int) { bytes.removeLast(bytes.count - count) }

  mutating func reserveCapacity(_ count: Int) { bytes.reserveCapacity(count) }
}

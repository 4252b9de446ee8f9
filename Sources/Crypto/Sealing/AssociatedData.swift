/// What a sealed value is bound to: the place where it is kept. Opening it for another place fails, so that nobody can move a
/// sealed value from one row or column to another.
///
/// A plain value. Parts are written with their lengths, so that ("ab", "c") and ("a", "bc") are two places.
package struct AssociatedData: Sendable, Hashable {
  let bytes: [UInt8]

  /// `purpose` names the kind of value (a table's column, say), `parts` the row.
  package init(_ purpose: StaticString, _ parts: [UInt8]...) {
    var bytes: [UInt8] = []
    func append(_ part: some Collection<UInt8>) {
      withUnsafeBytes(of: UInt32(part.count).bigEndian) { bytes.append(contentsOf: $0) }
      bytes.append(contentsOf: part)
    }
    purpose.withUTF8Buffer { append($0) }
    for part in parts { append(part) }
    self.bytes = bytes
  }
}

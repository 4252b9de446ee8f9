/// The values bound to a statement: one contiguous buffer and where each value lies in it.
///
/// A value inside a `Query`; its pointers live only while libpq copies them into its own send buffer.
struct BindList: Sendable {
  private var buffer = WireBuffer()
  private var entries: [Entry] = []
  private(set) var types: [UInt32] = []

  private struct Entry {
    let offset: Int
    /// -1 for NULL.
    let length: Int32
  }

  var count: Int { entries.count }

  mutating func append<Value: PostgresEncodable>(_ value: Value?) {
    append(type: Value.postgresType.oid, isNull: value == nil) { value?.encode(into: &$0) }
  }

  mutating func append<Element: PostgresEncodable>(array: [Element]?) {
    append(type: Element.postgresType.arrayOID, isNull: array == nil) { $0.append(array: array ?? []) }
  }

  mutating func append<Element: PostgresEncodable>(array: [Element?]) {
    append(type: Element.postgresType.arrayOID, isNull: false) { $0.append(array: array) }
  }

  mutating func append(contentsOf other: BindList) {
    let base = buffer.count
    buffer.append(contentsOf: other.buffer.bytes)
    types.append(contentsOf: other.types)
    entries.append(contentsOf: other.entries.map { Entry(offset: $0.offset + base, length: $0.length) })
  }

  private mutating func append(type: UInt32, isNull: Bool, _ write: (inout WireBuffer) -> Void) {
    let start = buffer.count
    types.append(type)
    guard !isNull else {
      entries.append(Entry(offset: start, length: -1))
      return
    }
    write(&buffer)
    entries.append(Entry(offset: start, length: Int32(buffer.count - start)))
  }

  /// Calls `body` with the parallel arrays libpq takes. All values are in binary format.
  func withParameters<Result>(_ body: (Parameters) -> Result) -> Result {
    buffer.bytes.withUnsafeBufferPointer { bytes in
      // An empty value needs a non-null pointer, and an empty buffer may have none.
      withUnsafeTemporaryAllocation(of: CChar.self, capacity: 1) { nowhere in
        let base = bytes.baseAddress.map { UnsafeRawPointer($0).assumingMemoryBound(to: CChar.self) }
        let origin = base ?? UnsafePointer(nowhere.baseAddress!)
        let values = entries.map { $0.length < 0 ? nil : origin + $0.offset }
        let lengths = entries.map { max($0.length, 0) }
        let formats = [Int32](repeating: 1, count: entries.count)
        return values.withUnsafeBufferPointer { values in
          lengths.withUnsafeBufferPointer { lengths in
            formats.withUnsafeBufferPointer { formats in
              types.withUnsafeBufferPointer { types in
                body(
                  Parameters(
                    count: Int32(entries.count), types: types.baseAddress, values: values.baseAddress,
                    lengths: lengths.baseAddress, formats: formats.baseAddress))
              }
            }
          }
        }
      }
    }
  }

  /// Pointers valid only inside `withParameters`.
  struct Parameters {
    let count: Int32
    let types: UnsafePointer<UInt32>?
    let values: UnsafePointer<UnsafePointer<CChar>?>?
    let lengths: UnsafePointer<Int32>?
    let formats: UnsafePointer<Int32>?
  }
}

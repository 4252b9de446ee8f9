internal import CNGHTTP2

/// A header list prepared once and sent many times: constant fields with places for values that differ.
///
/// Immutable but for the places, which are filled for the length of one submission; on one loop only. The bytes live as long as the
/// template, and a connection keeps the template until what it was used for is on the wire.
package final class HeaderTemplate {
  /// One field, lower case; pseudo fields first.
  package struct Field {
    package enum Value {
      case fixed([UInt8])
      /// Given with each submission, in the order of the template.
      case variable
    }
    /// Whether the compression tables of both sides remember it.
    package enum Indexing { case remembered, notRemembered }

    package let name: String
    package let value: Value
    package let indexing: Indexing

    package init(_ name: String, _ value: Value, _ indexing: Indexing = .remembered) {
      self.name = name
      self.value = value
      self.indexing = indexing
    }
  }

  let fields: UnsafeMutablePointer<nghttp2_nv>
  let count: Int
  private let places: [Int]
  private let storage: UnsafeMutablePointer<UInt8>

  package init(_ list: [Field]) {
    count = list.count
    fields = .allocate(capacity: max(1, list.count))
    let size = list.reduce(0) { size, field in
      guard case .fixed(let value) = field.value else { return size + field.name.utf8.count }
      return size + field.name.utf8.count + value.count
    }
    storage = .allocate(capacity: max(1, size))
    var end = storage
    var places: [Int] = []
    func store(_ bytes: some Collection<UInt8>) -> (UnsafeMutablePointer<UInt8>, Int) {
      let start = end
      for byte in bytes {
        end.initialize(to: byte)
        end += 1
      }
      return (start, bytes.count)
    }
    for (index, field) in list.enumerated() {
      let (name, nameLength) = store(field.name.utf8)
      var flags = UInt8(NGHTTP2_NV_FLAG_NO_COPY_NAME.rawValue | NGHTTP2_NV_FLAG_NO_COPY_VALUE.rawValue)
      if field.indexing == .notRemembered { flags |= UInt8(NGHTTP2_NV_FLAG_NO_INDEX.rawValue) }
      var value: (UnsafeMutablePointer<UInt8>, Int) = (storage, 0)
      switch field.value {
      case .fixed(let bytes): value = store(bytes)
      case .variable: places.append(index)
      }
      (fields + index).initialize(
        to: nghttp2_nv(name: name, value: value.0, namelen: nameLength, valuelen: value.1, flags: flags))
    }
    self.places = places
  }

  deinit {
    fields.deallocate()
    storage.deallocate()
  }

  /// `bytes` must stay where they are until the fields are on the wire.
  @inline(__always)
  func fill(_ place: Int, with bytes: UnsafeRawBufferPointer) {
    let index = places[place]
    fields[index].value = UnsafeMutablePointer(mutating: bytes.baseAddress?.assumingMemoryBound(to: UInt8.self))
    fields[index].valuelen = bytes.count
  }
}

/// A request as it came over one stream. Reused for later streams of its connection: valid during the call that hands it over, and until
/// it is answered for those who keep it by its stream id.
///
/// On its connection's loop only. Header fields are kept as they came, in order, doubles included.
package final class HTTP2ServerRequest {
  /// Why a request is handed over before it is complete.
  package enum Fault: Sendable, Hashable {
    case headTooLarge
    case bodyTooLarge
    case tooSlow
  }

  struct Entry {
    var name: Range<Int>
    var value: Range<Int>
  }

  package internal(set) var stream: Int32 = 0
  package internal(set) var body: [UInt8] = []
  package internal(set) var fault: Fault?
  var bytes: [UInt8] = []
  var entries: [Entry] = []
  var isHandedOver = false
  var isAnswered = false
  var beganAt: UInt64 = 0
  var response: [UInt8] = []
  var responseStart = 0

  package var fieldCount: Int { entries.count }

  /// The name (lower case, as HTTP/2 requires) and value of a field; both valid during `body`.
  package func withField<Result>(
    _ index: Int, _ body: (_ name: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer) -> Result
  ) -> Result {
    let entry = entries[index]
    return bytes.withUnsafeBytes { bytes in
      body(
        UnsafeRawBufferPointer(rebasing: bytes[entry.name]), UnsafeRawBufferPointer(rebasing: bytes[entry.value]))
    }
  }

  package func field(_ index: Int) -> (name: [UInt8], value: [UInt8]) {
    (Array(bytes[entries[index].name]), Array(bytes[entries[index].value]))
  }

  /// The value of the first field of this name.
  package func value(of name: StaticString) -> [UInt8]? {
    let wanted = UnsafeBufferPointer(start: name.utf8Start, count: name.utf8CodeUnitCount)
    guard let entry = entries.first(where: { bytes[$0.name].elementsEqual(wanted) }) else { return nil }
    return Array(bytes[entry.value])
  }

  func begin(stream: Int32, at time: UInt64) {
    self.stream = stream
    beganAt = time
    fault = nil
    isHandedOver = false
    isAnswered = false
    bytes.removeAll(keepingCapacity: true)
    entries.removeAll(keepingCapacity: true)
    body.removeAll(keepingCapacity: true)
    response = []
    responseStart = 0
  }
}

internal import CSimdJSON

extension JSONValue {
  /// Reads one strict document: UTF-8 without a byte order mark, no duplicate names (after unescaping), no U+0000, no lone
  /// surrogates, nothing after the value. Numbers keep their digits, members their order.
  package init(parsing bytes: UnsafeRawBufferPointer, limits: JSONLimits = JSONLimits()) throws(JSONError) {
    guard bytes.count <= limits.maxBytes else { throw JSONError(.tooLarge, at: limits.maxBytes) }
    guard bytes.count > 0 else { throw JSONError(.empty, at: 0) }
    var offsets: UnsafePointer<UInt32>?
    var count = 0
    let status = csimdjson_tokens(bytes.baseAddress, bytes.count, &offsets, &count)
    guard status == CSIMDJSON_OK else { throw JSONFault.locate(in: bytes, status: status) }
    // The offsets stay valid while we are here: they are this thread's, and the reader does not come back to this place.
    var reader = JSONTreeReader(
      bytes: bytes, tokens: UnsafeBufferPointer(start: offsets, count: count), limits: limits)
    self = try reader.document()
  }

  package init(parsing bytes: [UInt8], limits: JSONLimits = JSONLimits()) throws(JSONError) {
    self = try bytes.withUnsafeBufferPointer { (buffer) throws(JSONError) in
      try JSONValue(parsing: UnsafeRawBufferPointer(buffer), limits: limits)
    }
  }
}

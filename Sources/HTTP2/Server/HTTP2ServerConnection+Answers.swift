internal import CNGHTTP2
internal import Transport

extension HTTP2ServerConnection {
  /// Whether a stream may still be answered.
  package func isAnswerable(_ stream: Int32) -> Bool {
    guard !isClosed, let place = places[stream] else { return false }
    return !requests[Int(place)].isAnswered
  }

  /// Answers a stream, once; does nothing when it is gone. Names are lower case. An empty body ends the stream with its head.
  package func respond(
    to stream: Int32, status: Int, fields: [(name: [UInt8], value: [UInt8])], body: [UInt8] = []
  ) {
    guard let request = answerable(stream) else { return }
    var storage = Array(":status".utf8) + Array(String(status).utf8)
    var list: [(name: Range<Int>, value: Range<Int>)] = [(0..<7, 7..<storage.count)]
    for field in fields {
      let start = storage.count
      storage += field.name
      storage += field.value
      list.append((start..<(start + field.name.count), (start + field.name.count)..<storage.count))
    }
    storage.withUnsafeMutableBufferPointer { bytes in
      guard let start = bytes.baseAddress else { return }
      // Without NO_COPY flags nghttp2 takes copies before it returns.
      var head = list.map {
        nghttp2_nv(
          name: start + $0.name.lowerBound, value: start + $0.value.lowerBound, namelen: $0.name.count,
          valuelen: $0.value.count, flags: UInt8(NGHTTP2_NV_FLAG_NONE.rawValue))
      }
      submit(request, &head, head.count, body)
    }
  }

  /// The same without a body, with a head prepared once; `value` fills its only place and must live until the end of the loop's cycle,
  /// as the request's own bytes do.
  package func respond(to stream: Int32, _ head: HeaderTemplate, value: UnsafeRawBufferPointer) {
    guard let request = answerable(stream) else { return }
    head.fill(0, with: value)
    submit(request, head.fields, head.count, [])
  }

  /// Closes a stream without an answer.
  package func reset(_ stream: Int32, code: HTTP2ErrorCode) {
    guard places[stream] != nil else { return }
    nghttp2_submit_rst_stream(session.raw, UInt8(NGHTTP2_FLAG_NONE.rawValue), stream, code.rawValue)
    requestCycleEnd()
  }

  private func answerable(_ stream: Int32) -> HTTP2ServerRequest? {
    guard !isClosed, let place = places[stream] else { return nil }
    let request = requests[Int(place)]
    guard !request.isAnswered else { return nil }
    request.isAnswered = true
    return request
  }

  private func submit(
    _ request: HTTP2ServerRequest, _ head: UnsafeMutablePointer<nghttp2_nv>, _ count: Int, _ body: [UInt8]
  ) {
    if body.isEmpty {
      nghttp2_submit_response(session.raw, request.stream, head, count, nil)
    } else {
      request.response = body
      request.responseStart = 0
      var provider = nghttp2_data_provider()
      provider.source.ptr = cnghttp2_place(places[request.stream, default: 0])
      provider.read_callback = ServerCallbacks.readBody
      nghttp2_submit_response(session.raw, request.stream, head, count, &provider)
    }
    requestCycleEnd()
  }
}

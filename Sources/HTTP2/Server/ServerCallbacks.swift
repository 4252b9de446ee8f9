internal import CNGHTTP2
internal import Transport

/// What nghttp2 calls. The context leads to the connection, which owns the session and therefore outlives every call.
enum ServerCallbacks {
  static func table() -> CallbackTable {
    let table = CallbackTable()
    nghttp2_session_callbacks_set_on_begin_headers_callback(table.raw, beganHeaders)
    nghttp2_session_callbacks_set_on_header_callback(table.raw, receivedField)
    nghttp2_session_callbacks_set_on_data_chunk_recv_callback(table.raw, receivedData)
    nghttp2_session_callbacks_set_on_frame_recv_callback(table.raw, receivedFrame)
    nghttp2_session_callbacks_set_on_stream_close_callback(table.raw, closedStream)
    return table
  }

  @inline(__always)
  private static func request(
    _ session: OpaquePointer?, _ id: Int32, _ connection: HTTP2ServerConnection
  ) -> HTTP2ServerRequest? {
    guard let data = nghttp2_session_get_stream_user_data(session, id) else { return nil }
    return connection.requests[Int(cnghttp2_index(data))]
  }

  static let readBody: nghttp2_data_source_read_callback = { _, _, buffer, capacity, flags, source, context in
    let connection: HTTP2ServerConnection = Session.owner(context)
    let request = connection.requests[Int(cnghttp2_index(source.unsafelyUnwrapped.pointee.ptr))]
    let count = min(capacity, request.response.count - request.responseStart)
    request.response.withUnsafeBufferPointer { bytes in
      if count > 0, let start = bytes.baseAddress { buffer?.update(from: start + request.responseStart, count: count) }
    }
    request.responseStart += count
    if request.responseStart == request.response.count { flags?.pointee |= UInt32(NGHTTP2_DATA_FLAG_EOF.rawValue) }
    return count
  }

  private static let beganHeaders: nghttp2_on_begin_headers_callback = { session, frame, context in
    guard let frame, frame.pointee.headers.cat == NGHTTP2_HCAT_REQUEST else { return 0 }
    let connection: HTTP2ServerConnection = Session.owner(context)
    let id = frame.pointee.hd.stream_id
    let place: Int32
    if let known = connection.free.popLast() {
      place = known
    } else {
      place = Int32(connection.requests.count)
      connection.requests.append(HTTP2ServerRequest())
    }
    connection.requests[Int(place)].begin(stream: id, at: connection.channel.loop.now.nanoseconds)
    connection.places[id] = place
    connection.highestStream = max(connection.highestStream, id)
    nghttp2_session_set_stream_user_data(session, id, cnghttp2_place(place))
    return 0
  }

  private static let receivedField: nghttp2_on_header_callback = {
    session, frame, name, nameLength, value, valueLength, _, context in
    guard let frame, let name, let value else { return 0 }
    let connection: HTTP2ServerConnection = Session.owner(context)
    guard let request = request(session, frame.pointee.hd.stream_id, connection), !request.isHandedOver else {
      return 0
    }
    // Trailers are read and dropped: nothing here has a meaning for them.
    guard frame.pointee.headers.cat == NGHTTP2_HCAT_REQUEST else { return 0 }
    let start = request.bytes.count
    guard start + nameLength + valueLength <= connection.configuration.maximumHeaderBytes,
      request.entries.count < connection.configuration.maximumHeaderCount
    else {
      connection.handOver(request, fault: .headTooLarge)
      return 0
    }
    request.bytes.append(contentsOf: UnsafeBufferPointer(start: name, count: nameLength))
    request.bytes.append(contentsOf: UnsafeBufferPointer(start: value, count: valueLength))
    request.entries.append(
      HTTP2ServerRequest.Entry(
        name: start..<(start + nameLength), value: (start + nameLength)..<(start + nameLength + valueLength)))
    return 0
  }

  private static let receivedData: nghttp2_on_data_chunk_recv_callback = {
    session, _, id, bytes, count, context in
    let connection: HTTP2ServerConnection = Session.owner(context)
    guard let bytes, let request = request(session, id, connection), !request.isHandedOver else { return 0 }
    guard request.body.count + count <= connection.configuration.maximumBody else {
      connection.handOver(request, fault: .bodyTooLarge)
      return 0
    }
    request.body.append(contentsOf: UnsafeBufferPointer(start: bytes, count: count))
    return 0
  }

  private static let receivedFrame: nghttp2_on_frame_recv_callback = { session, frame, context in
    guard let frame else { return 0 }
    let connection: HTTP2ServerConnection = Session.owner(context)
    switch UInt32(frame.pointee.hd.type) {
    case NGHTTP2_HEADERS.rawValue, NGHTTP2_DATA.rawValue:
      guard frame.pointee.hd.flags & UInt8(NGHTTP2_FLAG_END_STREAM.rawValue) != 0,
        let request = request(session, frame.pointee.hd.stream_id, connection)
      else { return 0 }
      connection.handOver(request, fault: nil)
    case NGHTTP2_RST_STREAM.rawValue: connection.countReset()
    default: break
    }
    return 0
  }

  private static let closedStream: nghttp2_on_stream_close_callback = { _, id, code, context in
    let connection: HTTP2ServerConnection = Session.owner(context)
    guard let place = connection.places.removeValue(forKey: id) else { return 0 }
    connection.free.append(place)
    connection.delegate?.connection(connection, closed: id, code: HTTP2ErrorCode(rawValue: code))
    if connection.isDraining { connection.requestCycleEnd() }
    return 0
  }
}

internal import CNGHTTP2
internal import Transport

/// What nghttp2 calls. The context leads to the connection, which owns the session and therefore outlives every call.
enum ClientCallbacks {
  static func table() -> CallbackTable {
    let table = CallbackTable()
    nghttp2_session_callbacks_set_on_header_callback(table.raw, receivedField)
    nghttp2_session_callbacks_set_on_data_chunk_recv_callback(table.raw, receivedData)
    nghttp2_session_callbacks_set_on_frame_recv_callback(table.raw, receivedFrame)
    nghttp2_session_callbacks_set_on_stream_close_callback(table.raw, closedStream)
    nghttp2_session_callbacks_set_on_frame_not_send_callback(table.raw, didNotSend)
    return table
  }

  /// The place of a stream that is ours and still in use.
  @inline(__always)
  private static func place(_ session: OpaquePointer?, _ id: Int32, _ connection: HTTP2ClientConnection) -> Int32? {
    guard let data = nghttp2_session_get_stream_user_data(session, id) else { return nil }
    let place = cnghttp2_index(data)
    guard connection.streams[Int(place)].id == id else { return nil }
    return place
  }

  static let readBody: nghttp2_data_source_read_callback = { _, _, buffer, capacity, flags, source, context in
    let connection: HTTP2ClientConnection = Session.owner(context)
    let place = Int(cnghttp2_index(source.unsafelyUnwrapped.pointee.ptr))
    let output = connection.streams[place].output
    guard !connection.streams[place].isCancelled else {
      return Int(NGHTTP2_ERR_TEMPORAL_CALLBACK_FAILURE.rawValue)
    }
    let count = min(capacity, output.count)
    if count > 0, let start = output.baseAddress {
      buffer?.update(from: start.assumingMemoryBound(to: UInt8.self), count: count)
    }
    if count == output.count { flags?.pointee |= UInt32(NGHTTP2_DATA_FLAG_EOF.rawValue) }
    connection.streams[place].output = UnsafeRawBufferPointer(rebasing: output[count...])
    return count
  }

  private static let receivedField: nghttp2_on_header_callback = {
    session, frame, name, nameLength, value, valueLength, _, context in
    guard let frame, let name, let value else { return 0 }
    let connection: HTTP2ClientConnection = Session.owner(context)
    guard let place = place(session, frame.pointee.hd.stream_id, connection) else { return 0 }
    if nameLength == 7, name[0] == UInt8(ascii: ":") {
      var status: Int32 = 0
      for index in 0..<min(3, valueLength) { status = status &* 10 &+ Int32(value[index] &- UInt8(ascii: "0")) }
      // 1xx is not the answer yet.
      connection.streams[Int(place)].status = (100..<200).contains(status) ? 0 : status
      return 0
    }
    for (index, kept) in connection.keptNames.enumerated() where kept.count == nameLength {
      guard kept.elementsEqual(UnsafeBufferPointer(start: name, count: nameLength)) else { continue }
      if connection.streams[Int(place)].kept.isEmpty {
        connection.streams[Int(place)].kept = Array(repeating: [], count: connection.keptNames.count)
      }
      connection.streams[Int(place)].kept[index] = Array(
        UnsafeBufferPointer(start: value, count: min(valueLength, 256)))
    }
    return 0
  }

  private static let receivedData: nghttp2_on_data_chunk_recv_callback = {
    session, _, id, bytes, count, context in
    let connection: HTTP2ClientConnection = Session.owner(context)
    guard let bytes, let place = place(session, id, connection) else { return 0 }
    let room = connection.configuration.maximumBody - connection.streams[Int(place)].body.count
    if room > 0 {
      connection.streams[Int(place)].body.append(
        contentsOf: UnsafeBufferPointer(start: bytes, count: min(room, count)))
    }
    connection.streams[Int(place)].bodyLength += count
    return 0
  }

  private static let receivedFrame: nghttp2_on_frame_recv_callback = { session, frame, context in
    guard let frame else { return 0 }
    let connection: HTTP2ClientConnection = Session.owner(context)
    switch UInt32(frame.pointee.hd.type) {
    case NGHTTP2_SETTINGS.rawValue where frame.pointee.hd.flags & UInt8(NGHTTP2_FLAG_ACK.rawValue) == 0:
      connection.followSettings()
    case NGHTTP2_GOAWAY.rawValue:
      let goAway = frame.pointee.goaway
      let count = min(goAway.opaque_data_len, GoAway.maximumDebugData)
      let data = goAway.opaque_data.map { Array(UnsafeBufferPointer(start: $0, count: count)) } ?? []
      connection.follow(
        GoAway(lastStreamID: goAway.last_stream_id, code: HTTP2ErrorCode(rawValue: goAway.error_code), debugData: data))
    case NGHTTP2_PING.rawValue where frame.pointee.hd.flags & UInt8(NGHTTP2_FLAG_ACK.rawValue) != 0:
      connection.pingWasAnswered()
    default: break
    }
    return 0
  }

  private static let closedStream: nghttp2_on_stream_close_callback = { session, id, code, context in
    let connection: HTTP2ClientConnection = Session.owner(context)
    guard let place = place(session, id, connection) else { return 0 }
    connection.end(place, connection.meaning(of: code, at: place))
    return 0
  }

  /// A request that nghttp2 would not send, because a GOAWAY came first: it was never on the wire.
  private static let didNotSend: nghttp2_on_frame_not_send_callback = { _, frame, _, context in
    guard let frame, UInt32(frame.pointee.hd.type) == NGHTTP2_HEADERS.rawValue else { return 0 }
    let connection: HTTP2ClientConnection = Session.owner(context)
    let id = frame.pointee.hd.stream_id
    guard let place = connection.streams.firstIndex(where: { $0.isInUse && $0.id == id }) else { return 0 }
    connection.end(Int32(place), .refused)
    return 0
  }
}

extension HTTP2ClientConnection {
  func followSettings() {
    let limit = nghttp2_session_get_remote_settings(session.raw, NGHTTP2_SETTINGS_MAX_CONCURRENT_STREAMS)
    streamLimit = Int(min(limit, UInt32(Int32.max)))
  }

  func follow(_ goAway: GoAway) {
    isDraining = true
    delegate?.connection(self, received: goAway)
    requestCycleEnd()
  }

  func pingWasAnswered() {
    guard let timer = pingTimer else { return }
    timer.cancel()
    pingTimer = nil
    delegate?.connection(self, pingAnswered: true)
  }
}

internal import CNGHTTP2
internal import Transport

extension HTTP2ClientConnection {
  /// Submissions between two writes: enough to fill a TLS record, few enough to stay in the cache.
  private static let submissionsPerWrite = 32

  /// Sends a request. `first` to `third` fill the template's places in order; they, `body` and the template's bytes must stay where
  /// they are until the stream has ended. `tag` names the request towards the delegate.
  ///
  /// False when it is not taken: ``capacity`` is 0, or stream ids have run out (then the connection drains).
  package func submit(
    _ template: HeaderTemplate, _ first: UnsafeRawBufferPointer, _ second: UnsafeRawBufferPointer? = nil,
    _ third: UnsafeRawBufferPointer? = nil, body: UnsafeRawBufferPointer, tag: Int32
  ) -> Bool {
    guard capacity > 0 else { return false }
    template.fill(0, with: first)
    if let second { template.fill(1, with: second) }
    if let third { template.fill(2, with: third) }
    let place = takePlace()
    streams[Int(place)].tag = tag
    streams[Int(place)].output = body
    streams[Int(place)].template = template
    var provider = nghttp2_data_provider()
    provider.source.ptr = cnghttp2_place(place)
    provider.read_callback = ClientCallbacks.readBody
    let id = nghttp2_submit_request(
      session.raw, nil, template.fields, template.count, &provider, cnghttp2_place(place))
    guard id > 0 else {
      // Out of stream ids (2^30 requests), or of memory: this connection has done its work.
      release(place)
      isDraining = true
      requestCycleEnd()
      return false
    }
    streams[Int(place)].id = id
    inFlight += 1
    unsentSubmissions += 1
    if unsentSubmissions >= Self.submissionsPerWrite, !session.isInside {
      write()
    } else {
      requestCycleEnd()
    }
    return true
  }

  /// Gives a request up (its deadline has passed): the server is told, the delegate hears no more of it, and its memory is free at
  /// once.
  package func reset(tag: Int32) {
    // It may have ended in this very cycle, with the word of it still to come: the tag may be used again from now on.
    deferred.removeAll { $0.tag == tag }
    // A scan of at most a thousand places; resets are rare.
    guard let place = streams.firstIndex(where: { $0.isInUse && !$0.isCancelled && $0.tag == tag }) else {
      // It has ended, and that has not been told yet.
      return deferred.removeAll { $0.tag == tag }
    }
    streams[place].isCancelled = true
    streams[place].output = UnsafeRawBufferPointer(start: nil, count: 0)
    nghttp2_submit_rst_stream(
      session.raw, UInt8(NGHTTP2_FLAG_NONE.rawValue), streams[place].id, HTTP2ErrorCode.cancel.rawValue)
    // Before anything else: a field that is not on the wire yet is the user's memory.
    if !session.isInside { write() } else { requestCycleEnd() }
  }

  private func takePlace() -> Int32 {
    if let place = free.popLast() {
      streams[Int(place)].isInUse = true
      return place
    }
    streams.append(ClientStream())
    streams[streams.count - 1].isInUse = true
    return Int32(streams.count - 1)
  }

  func release(_ place: Int32) {
    let index = Int(place)
    streams[index].isInUse = false
    streams[index].isCancelled = false
    streams[index].id = -1
    streams[index].status = 0
    streams[index].template = nil
    streams[index].output = UnsafeRawBufferPointer(start: nil, count: 0)
    if streams[index].bodyLength > 0 {
      streams[index].body = []
      streams[index].bodyLength = 0
    }
    if !streams[index].kept.isEmpty { streams[index].kept = [] }
    free.append(place)
  }

  /// The stream has closed, or never came to be.
  func end(_ place: Int32, _ end: StreamEnd) {
    let index = Int(place)
    inFlight -= 1
    defer { release(place) }
    guard !streams[index].isCancelled else { return }
    let tag = streams[index].tag
    guard end == .answered else {
      deferred.append((tag, end))
      return requestCycleEnd()
    }
    let status = Int(streams[index].status)
    let length = streams[index].bodyLength
    let kept = streams[index].kept
    guard length > 0 else {
      let answer = StreamAnswer(
        status: status, body: UnsafeRawBufferPointer(start: nil, count: 0), bodyLength: 0, kept: kept)
      delegate?.connection(self, ended: tag, end, answer: answer)
      return
    }
    let body = streams[index].body
    body.withUnsafeBytes { bytes in
      delegate?.connection(
        self, ended: tag, end, answer: StreamAnswer(status: status, body: bytes, bodyLength: length, kept: kept))
    }
  }

  /// What a closed stream's error code says.
  func meaning(of code: UInt32, at place: Int32) -> StreamEnd {
    switch HTTP2ErrorCode(rawValue: code) {
    case .refusedStream: .refused
    // A complete answer stands, also when the server resets the rest of the request afterwards (RFC 9113, 8.1).
    case .noError: streams[Int(place)].status != 0 ? .answered : .withoutHeaders
    default: .reset(HTTP2ErrorCode(rawValue: code))
    }
  }
}

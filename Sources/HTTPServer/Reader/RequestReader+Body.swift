import HTTP

extension RequestReader {
  /// Says how many bytes the body of the head just read may have, and begins to read it.
  package mutating func beginBody(limit: Int) throws(Refusal) {
    precondition(state == .headComplete, "a body follows a head")
    bodyLimit = limit
    if framing.isChunked {
      beginChunk()
      return
    }
    remaining = framing.contentLength ?? 0
    guard remaining <= limit else { throw .bodyTooLarge }
    state = remaining == 0 ? .requestComplete : .body
    // An announced length alone reserves little; the array grows with what really comes.
    body.reserveCapacity(min(remaining, 16 * 1024))
  }

  /// Reads one piece of the body. Called with at least one byte of input.
  mutating func readBody(_ input: Span<UInt8>, _ offset: inout Int) throws(Refusal) {
    switch state {
    case .body: copyContent(input, &offset, then: .requestComplete)
    case .chunkSize: try readChunkSize(input, &offset)
    case .chunkSizeLF:
      try expectChunk(0x0a, input, &offset, then: remaining == 0 ? .lastChunkCR : .chunkData)
    case .chunkData: copyContent(input, &offset, then: .chunkDataCR)
    case .chunkDataCR: try expectChunk(0x0d, input, &offset, then: .chunkDataLF)
    case .chunkDataLF:
      try expectChunk(0x0a, input, &offset, then: .chunkSize)
      beginChunk()
    case .lastChunkCR: try expectChunk(0x0d, input, &offset, then: .lastChunkLF)
    case .lastChunkLF: try expectChunk(0x0a, input, &offset, then: .requestComplete)
    case .start, .leadingLF, .method, .target, .version, .requestLineCR, .requestLineLF, .fieldStart, .fieldName,
      .valueBlanks, .value, .valueLF, .headLF, .headComplete, .requestComplete:
      preconditionFailure("not a state of the body")
    }
  }

  private mutating func beginChunk() {
    state = .chunkSize
    remaining = 0
    chunkDigits = 0
  }

  /// Hexadecimal digits up to a CR: no prefix, no extension, no blank. Eight digits hold every size within a limit.
  private mutating func readChunkSize(_ input: Span<UInt8>, _ offset: inout Int) throws(Refusal) {
    while offset < input.count {
      let byte = input[offset]
      offset += 1
      if byte == 0x0d, chunkDigits > 0 {
        state = .chunkSizeLF
        return
      }
      guard let digit = FieldSyntax.hexValue(byte), chunkDigits < 8 else { throw .malformedChunk }
      chunkDigits += 1
      remaining = remaining << 4 | Int(digit)
      guard body.count + remaining <= bodyLimit else { throw .bodyTooLarge }
    }
  }

  private mutating func copyContent(_ input: Span<UInt8>, _ offset: inout Int, then next: State) {
    let end = offset + min(remaining, input.count - offset)
    input.extracting(offset..<end).withUnsafeBufferPointer { body.append(contentsOf: $0) }
    remaining -= end - offset
    offset = end
    if remaining == 0 { state = next }
  }

  private mutating func expectChunk(
    _ byte: UInt8, _ input: Span<UInt8>, _ offset: inout Int, then next: State
  ) throws(Refusal) {
    guard input[offset] == byte else { throw .malformedChunk }
    offset += 1
    state = next
  }
}

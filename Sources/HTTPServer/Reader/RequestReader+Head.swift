import HTTP

extension RequestReader {
  /// Reads one piece of the head. Called with at least one byte of input.
  mutating func readHead(_ input: Span<UInt8>, _ offset: inout Int) throws(Refusal) {
    switch state {
    case .start: begin(input, &offset)
    case .leadingLF: try expect(0x0a, input, &offset, then: .method)
    case .method: try readMethod(input, &offset)
    case .target: try readTarget(input, &offset)
    case .version: try readVersion(input, &offset)
    case .requestLineCR: try expect(0x0d, input, &offset, then: .requestLineLF)
    case .requestLineLF: try expect(0x0a, input, &offset, then: .fieldStart)
    case .fieldStart: try startField(input, &offset)
    case .fieldName: try readFieldName(input, &offset)
    case .valueBlanks: try skipBlanks(input, &offset)
    case .value: try readValue(input, &offset)
    case .valueLF:
      try expect(0x0a, input, &offset, then: .fieldStart)
      try endField()
    case .headLF:
      try expect(0x0a, input, &offset, then: .headComplete)
      try endHead()
    case .headComplete, .body, .chunkSize, .chunkSizeLF, .chunkData, .chunkDataCR, .chunkDataLF, .lastChunkCR,
      .lastChunkLF, .requestComplete:
      preconditionFailure("not a state of the head")
    }
  }

  private mutating func begin(_ input: Span<UInt8>, _ offset: inout Int) {
    headRoom = limits.head
    text = []
    // Room for what has come, which is most often the whole head and nothing else.
    text.reserveCapacity(min(input.count - offset, limits.head))
    lines = []
    mark = 0
    framing = FramingFields()
    state = .method
    guard input[offset] == 0x0d else { return }
    // RFC 9112 section 2.2: one empty line in front of a request is passed over (old clients sent one after a body).
    offset += 1
    headRoom -= 1
    state = .leadingLF
  }

  private mutating func readMethod(_ input: Span<UInt8>, _ offset: inout Int) throws(Refusal) {
    // No registered method is longer than 16 bytes, so a longer one is unknown whatever it is.
    guard
      let stop = try copy(
        input, &offset, room: 16 - text.count, beyond: .methodNotImplemented, while: FieldSyntax.isToken)
    else { return }
    guard stop == 0x20, !text.isEmpty else { throw .malformedRequest }
    guard let known = HTTPMethod(text.span) else { throw .methodNotImplemented }
    method = known
    text.removeAll(keepingCapacity: true)
    try skip(&offset)
    state = .target
  }

  private mutating func readTarget(_ input: Span<UInt8>, _ offset: inout Int) throws(Refusal) {
    let isVisible: (UInt8) -> Bool = { $0 > 0x20 && $0 < 0x7f }
    guard
      let stop = try copy(
        input, &offset, room: limits.target - text.count, beyond: .targetTooLong, while: isVisible)
    else { return }
    guard stop == 0x20, !text.isEmpty else { throw .malformedRequest }
    do {
      let parsed = try RequestTarget(parsing: text.span)
      guard !parsed.isAsterisk || method == .options else { throw Refusal.malformedTarget }
      target = parsed
    } catch {
      throw .malformedTarget
    }
    text.removeAll(keepingCapacity: true)
    try skip(&offset)
    state = .version
  }

  /// `HTTP/d.d`, one byte at a time; only 1.0 and 1.1 are spoken here.
  private mutating func readVersion(_ input: Span<UInt8>, _ offset: inout Int) throws(Refusal) {
    let pattern: StaticString = "HTTP/0.0"
    let byte = input[offset]
    let position = text.count
    let isRight =
      position == 5 || position == 7
      ? (0x30...0x39).contains(byte) : byte == pattern.utf8Start[position]
    guard isRight else { throw .malformedRequest }
    text.append(byte)
    try skip(&offset)
    guard text.count == pattern.utf8CodeUnitCount else { return }
    guard text[5] == 0x31, text[7] <= 0x31 else { throw .versionNotSupported }
    framing.minorVersion = text[7] - 0x30
    text.removeAll(keepingCapacity: true)
    state = .requestLineCR
  }

  private mutating func startField(_ input: Span<UInt8>, _ offset: inout Int) throws(Refusal) {
    mark = text.count
    if input[offset] == 0x0d {
      try skip(&offset)
      state = .headLF
      return
    }
    guard lines.count < limits.fields else { throw .headTooLarge }
    // Most clients send four to twelve.
    if lines.isEmpty { lines.reserveCapacity(min(16, limits.fields)) }
    state = .fieldName
  }

  /// A blank here, before the colon or in front of the name (folding), is refused with every other non-token byte.
  private mutating func readFieldName(_ input: Span<UInt8>, _ offset: inout Int) throws(Refusal) {
    guard let stop = try copy(input, &offset, room: headRoom, beyond: .headTooLarge, while: FieldSyntax.isToken)
    else { return }
    nameLength = text.count - mark
    guard stop == 0x3a, nameLength > 0 else { throw .malformedRequest }
    try skip(&offset)
    state = .valueBlanks
  }

  private mutating func skipBlanks(_ input: Span<UInt8>, _ offset: inout Int) throws(Refusal) {
    while offset < input.count, FieldSyntax.isBlank(input[offset]) { try skip(&offset) }
    if offset < input.count { state = .value }
  }

  /// Refuses a bare LF, a CR without LF, NUL and the other control bytes.
  private mutating func readValue(_ input: Span<UInt8>, _ offset: inout Int) throws(Refusal) {
    guard let stop = try copy(input, &offset, room: headRoom, beyond: .headTooLarge, while: FieldSyntax.isValue)
    else { return }
    guard stop == 0x0d else { throw .malformedRequest }
    try skip(&offset)
    state = .valueLF
  }

  private mutating func endField() throws(Refusal) {
    let valueStart = mark + nameLength
    while text.count > valueStart, FieldSyntax.isBlank(text[text.count - 1]) { text.removeLast() }
    let line = HTTPFields.Line(start: mark, nameLength: nameLength, valueLength: text.count - valueStart)
    lines.append(line)
    // A copy, because `text` is lent out of `self` meanwhile; it is a few flags.
    var noted = framing
    try noted.note(text.span.extracting(line.name), text.span.extracting(line.value))
    framing = noted
  }

  private mutating func endHead() throws(Refusal) {
    guard let target else { preconditionFailure("a request line comes first") }
    let fields = HTTPFields(checkedText: text, lines: lines)
    text = []
    lines = []
    self.target = nil
    try framing.check(authority: target.authority, fields)
    head = HTTPRequestHead(method: method, target: target, fields: fields)
  }
}

// Moving over input. Each counts against the head.
extension RequestReader {
  /// Copies the run of accepted bytes into `text`. Returns the byte that ended it, which stays in the input, or nil
  /// when the input ended first.
  @inline(__always)
  private mutating func copy(
    _ input: Span<UInt8>, _ offset: inout Int, room: Int, beyond refusal: Refusal, while accepts: (UInt8) -> Bool
  ) throws(Refusal) -> UInt8? {
    let start = offset
    let end = min(input.count, start + min(room, headRoom))
    while offset < end, accepts(input[offset]) { offset += 1 }
    input.extracting(start..<offset).withUnsafeBufferPointer { text.append(contentsOf: $0) }
    headRoom -= offset - start
    guard offset < input.count else { return nil }
    guard !accepts(input[offset]) else { throw headRoom == 0 ? .headTooLarge : refusal }
    return input[offset]
  }

  private mutating func expect(
    _ byte: UInt8, _ input: Span<UInt8>, _ offset: inout Int, then next: State
  ) throws(Refusal) {
    guard input[offset] == byte else { throw .malformedRequest }
    try skip(&offset)
    state = next
  }

  @inline(__always)
  private mutating func skip(_ offset: inout Int) throws(Refusal) {
    guard headRoom > 0 else { throw .headTooLarge }
    headRoom -= 1
    offset += 1
  }
}

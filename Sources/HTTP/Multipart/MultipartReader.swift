/// Walks once over a multipart body. A local value of `MultipartForm`'s initialiser.
struct MultipartReader {
  private let body: [UInt8]
  /// CRLF, two hyphens and the boundary: what ends every part.
  private let delimiter: [UInt8]
  private let limits: MultipartForm.Limits
  private var position = 0

  init(body: [UInt8], boundary: String, limits: MultipartForm.Limits) {
    self.body = body
    delimiter = Array("\r\n--\(boundary)".utf8)
    self.limits = limits
  }

  mutating func parts() throws(HTTPError) -> [MultipartForm.Part] {
    var parts: [MultipartForm.Part] = []
    // The first delimiter has no CRLF in front: nothing comes before it.
    guard body.starts(with: delimiter[2...]) else { throw malformed("must begin with its boundary") }
    position = delimiter.count - 2
    while try !isLast() {
      guard parts.count < limits.parts else { throw HTTPError(.multipartTooLarge, "the form has too many parts") }
      let header = try readHeader()
      parts.append(try part(header))
    }
    return parts
  }

  /// Behind a delimiter: CRLF and another part, or `--` and the end of the body.
  private mutating func isLast() throws(HTTPError) -> Bool {
    guard position + 2 <= body.count else { throw malformed("ends in the middle") }
    let next = body[position..<position + 2]
    position += 2
    if next.elementsEqual([0x0d, 0x0a]) { return false }
    guard next.elementsEqual([0x2d, 0x2d]) else { throw malformed("has bytes behind a boundary") }
    let rest = body[position...]
    guard rest.isEmpty || rest.elementsEqual([0x0d, 0x0a]) else { throw malformed("goes on behind its end") }
    return true
  }

  private mutating func readHeader() throws(HTTPError) -> MultipartPartHeader {
    var header = MultipartPartHeader()
    let limit = position + limits.partHeader
    while true {
      let line = try readLine(before: limit)
      if line.isEmpty { return header }
      try header.add(line)
    }
  }

  private mutating func readLine(before limit: Int) throws(HTTPError) -> ArraySlice<UInt8> {
    let start = position
    while position < body.count, FieldSyntax.isValue(body[position]) {
      position += 1
      guard position <= limit else { throw HTTPError(.multipartTooLarge, "the header of a part is too large") }
    }
    guard position + 1 < body.count, body[position] == 0x0d, body[position + 1] == 0x0a else {
      throw malformed("has a part header that does not end in CRLF")
    }
    position += 2
    return body[start..<position - 2]
  }

  private mutating func part(_ header: MultipartPartHeader) throws(HTTPError) -> MultipartForm.Part {
    guard let name = header.name else { throw malformed("has a part without a name") }
    let content = try readBody()
    return MultipartForm.Part(
      name: name, filename: header.filename, contentType: header.contentType, body: Array(content))
  }

  /// Up to the next delimiter. Each byte is looked at twice at most: a delimiter holds one CR, its first byte.
  private mutating func readBody() throws(HTTPError) -> ArraySlice<UInt8> {
    let start = position
    var end = start
    while end + delimiter.count <= body.count {
      if body[end] == 0x0d, body[end..<end + delimiter.count].elementsEqual(delimiter) {
        position = end + delimiter.count
        return body[start..<end]
      }
      end += 1
      guard end - start <= limits.partBody else { throw HTTPError(.multipartTooLarge, "a part is too large") }
    }
    throw malformed("has a part without an end")
  }

  private func malformed(_ why: String) -> HTTPError { HTTPError(.malformedMultipart, "the form \(why)") }
}

/// The header of one part while its lines are read.
struct MultipartPartHeader {
  private(set) var name: String?
  private(set) var filename: String?
  private(set) var contentType: MediaType?

  mutating func add(_ line: ArraySlice<UInt8>) throws(HTTPError) {
    guard let colon = line.firstIndex(of: 0x3a), line[..<colon].allSatisfy(FieldSyntax.isToken), colon > line.startIndex
    else { throw Self.malformed("has a part header without a name") }
    let value = line[(colon + 1)...]
    switch String(decoding: line[..<colon], as: UTF8.self).lowercased() {
    case "content-disposition":
      try addDisposition(value)
    case "content-type":
      guard contentType == nil else { throw Self.malformed("gives a part two media types") }
      contentType = try MediaType(parsing: String(decoding: value, as: UTF8.self))
    case "content-transfer-encoding":
      // RFC 7578 section 4.7 deprecates the field; these three values change nothing, any other would.
      let coding = String(decoding: value, as: UTF8.self).lowercased().drop { $0 == " " }
      guard ["binary", "8bit", "7bit"].contains(coding) else { throw Self.malformed("has an encoded part") }
    case let other where other.hasPrefix("content-"):
      throw Self.malformed("has a part with an unknown content field")
    default:
      return
    }
  }

  private mutating func addDisposition(_ value: ArraySlice<UInt8>) throws(HTTPError) {
    guard name == nil else { throw Self.malformed("names a part twice") }
    var cursor = FieldValueCursor(value)
    cursor.skipBlanks()
    guard let type = cursor.token(), FieldSyntax.equalIgnoringCase(type, "form-data"),
      let parameters = cursor.parameters(maximum: 4)
    else { throw Self.malformed("has a malformed Content-Disposition") }
    for parameter in parameters {
      switch parameter.name {
      case "name": name = Self.unescaped(parameter.value)
      case "filename": filename = Self.unescaped(parameter.value)
      default: throw Self.malformed("has an unknown parameter in Content-Disposition")
      }
    }
    guard let name, !name.isEmpty else { throw Self.malformed("has a part without a name") }
  }

  /// Browsers write a quote, CR and LF in a name as these three escapes and nothing else (WHATWG HTML, multipart form
  /// data); a lone percent sign stands for itself.
  private static func unescaped(_ text: String) -> String {
    guard text.utf8.contains(0x25) else { return text }
    var rest = text[...]
    var plain = ""
    while let first = rest.first {
      switch rest.prefix(3).uppercased() {
      case "%22": plain.append("\"")
      case "%0D": plain.append("\r")
      case "%0A": plain.append("\n")
      default:
        plain.append(first)
        rest = rest.dropFirst()
        continue
      }
      rest = rest.dropFirst(3)
    }
    return plain
  }

  private static func malformed(_ why: String) -> HTTPError { HTTPError(.malformedMultipart, "the form \(why)") }
}

import Glibc
import JSON

/// `openapi.json` as it lies in the repository.
enum Contract {
  static let bytes: [UInt8] = {
    var path = #filePath[...]
    for _ in 0..<4 { path = path[..<(path.lastIndex(of: "/") ?? path.startIndex)] }
    guard let file = fopen(path + "/openapi.json", "r") else { return [] }
    defer { fclose(file) }
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while case let count = fread(&buffer, 1, buffer.count, file), count > 0 { bytes += buffer[..<count] }
    return bytes
  }()

  static let document: JSONValue =
    (try? JSONValue(parsing: bytes, limits: JSONLimits(maxBytes: 1 << 20, maxDepth: 64))) ?? .null

  static func schema(_ name: String) -> JSONValue? { document["components"]?["schemas"]?[name] }

  /// Follows one `$ref` into the document.
  static func resolve(_ value: JSONValue) -> JSONValue {
    guard let reference = value["$ref"]?.string else { return value }
    return reference.split(separator: "/").dropFirst().reduce(document) { $0[String($1)] ?? .null }
  }
}

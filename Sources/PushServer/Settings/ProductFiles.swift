internal import Glibc

/// Finds what ships beside the binary: `migrations/` and `openapi.json`, in the checkout that built it or under `share/bolrach`.
struct ProductFiles: Sendable {
  let directory: String

  var migrations: String { directory + "/migrations" }

  /// Looks in `../share/bolrach` of the binary, then upwards from the binary, then in the working directory.
  static func find() throws(StartError) -> ProductFiles {
    var candidates: [String] = []
    if let binary = realpath("/proc/self/exe", nil) {
      defer { free(binary) }
      var directory = String(cString: binary)
      directory = parent(of: directory)
      candidates.append(parent(of: directory) + "/share/bolrach")
      while directory != "/" {
        candidates.append(directory)
        directory = parent(of: directory)
      }
    }
    candidates.append(".")
    guard let found = candidates.first(where: { isComplete($0) }) else {
      throw StartError("migrations/ and openapi.json are neither beside the binary nor in the working directory")
    }
    return ProductFiles(directory: found)
  }

  func contract() throws(StartError) -> [UInt8] {
    let path = directory + "/openapi.json"
    guard let file = fopen(path, "re") else { throw StartError("\(path) cannot be read") }
    defer { fclose(file) }
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while case let count = fread(&buffer, 1, buffer.count, file), count > 0 { bytes += buffer.prefix(count) }
    return bytes
  }

  private static func isComplete(_ directory: String) -> Bool {
    access(directory + "/migrations", R_OK | X_OK) == 0 && access(directory + "/openapi.json", R_OK) == 0
  }

  private static func parent(of path: String) -> String {
    guard let slash = path.lastIndex(of: "/"), slash != path.startIndex else { return "/" }
    return String(path[..<slash])
  }
}

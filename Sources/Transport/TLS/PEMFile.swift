internal import Glibc

/// Reads small text files such as certificates, at start-up: the call blocks.
enum PEMFile {
  private static let maximumSize = 1 << 20

  static func read(_ path: String, orThrow code: TransportError.Code) throws(TransportError) -> [UInt8] {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw TransportError(code, "\(path): \(String(cString: strerror(errno)))") }
    defer { close(descriptor) }
    var contents: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 16384)
    while true {
      let count = Glibc.read(descriptor, &chunk, chunk.count)
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { throw TransportError(code, "\(path): \(String(cString: strerror(errno)))") }
      guard count > 0 else { return contents }
      guard contents.count + count <= maximumSize else { throw TransportError(code, "\(path): larger than 1 MiB") }
      contents.append(contentsOf: chunk[..<count])
    }
  }
}

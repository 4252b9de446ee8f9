internal import Crypto
internal import Glibc
internal import ServiceKit

/// The 32 bytes that seal every secret in the database, from the environment, from a file, or made for the private set-up.
enum MasterKey {
  static let length = 32

  static func read(_ reader: inout SettingsReader) -> Secret<[UInt8]>? {
    let expected = "\(length) bytes in Base64"
    let direct = reader.value("BOLRACH_MASTER_KEY", expected: expected) { decode($0) }
    let path = reader.string("BOLRACH_MASTER_KEY_FILE")
    guard let path else { return direct }
    guard direct == nil else {
      reader.report("BOLRACH_MASTER_KEY and BOLRACH_MASTER_KEY_FILE exclude each other")
      return nil
    }
    guard let key = PrivateFile(path: path).read().flatMap({ decode(String(decoding: $0, as: UTF8.self)) }) else {
      reader.report("BOLRACH_MASTER_KEY_FILE must name a readable file with \(expected)")
      return nil
    }
    return key
  }

  /// For the private set-up: the key in the data directory, made on the first start.
  static func kept(in directory: String) throws -> Secret<[UInt8]> {
    let file = PrivateFile(path: directory + "/master.key")
    if let text = file.read() {
      guard let key = decode(String(decoding: text, as: UTF8.self)) else {
        throw StartError("\(file.path) does not hold \(length) bytes in Base64")
      }
      return key
    }
    let key = SecureRandom.bytes(length)
    try file.write(Array((Base64.encode(key) + "\n").utf8))
    return Secret(key)
  }

  /// The operator token of the private set-up, made on the first start.
  static func keptOperatorToken(in directory: String) throws -> Secret<String> {
    let file = PrivateFile(path: directory + "/operator.token")
    if let text = file.read() { return Secret(trimmed(String(decoding: text, as: UTF8.self))) }
    let token = SecureRandom.base62(length: 40)
    try file.write(Array((token + "\n").utf8))
    return Secret(token)
  }

  private static func decode(_ text: String) -> Secret<[UInt8]>? {
    guard let bytes = Base64.decode(trimmed(text)), bytes.count == length else { return nil }
    return Secret(bytes)
  }

  private static func trimmed(_ text: String) -> String {
    String(text.drop { $0.isWhitespace }.reversed().drop { $0.isWhitespace }.reversed())
  }
}

/// A small file; written so that only its owner may read it.
struct PrivateFile: Sendable {
  let path: String

  /// `nil` when there is none, or it cannot be read. Larger ones than `maximum` are not keys, and cut.
  func read(upTo maximum: Int = 4096) -> [UInt8]? {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var bytes = [UInt8](repeating: 0, count: maximum)
    let count = Glibc.read(descriptor, &bytes, bytes.count)
    return count >= 0 ? Array(bytes.prefix(count)) : nil
  }

  func remove() { unlink(path) }

  /// Makes the file; fails when it is there.
  func write(_ bytes: [UInt8]) throws(StartError) {
    let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw StartError("\(path) cannot be made: \(String(cString: strerror(errno)))") }
    defer { close(descriptor) }
    guard Glibc.write(descriptor, bytes, bytes.count) == bytes.count, fsync(descriptor) == 0 else {
      throw StartError("\(path) cannot be written: \(String(cString: strerror(errno)))")
    }
  }
}

/// Why a process cannot start, in words for whoever starts it.
package struct StartError: Error, Sendable, CustomStringConvertible {
  package let description: String
  package init(_ description: String) { self.description = description }
}

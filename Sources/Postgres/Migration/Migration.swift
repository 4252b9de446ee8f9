internal import Glibc

/// One step of the schema: the file `migrations/NNNN_name.sql`.
///
/// A value. The file runs in a transaction, unless its first line is `-- no transaction`: then it holds one statement,
/// which has to bear being repeated, since a crash may come between it and the note that it ran.
package struct Migration: Sendable, Equatable {
  package let version: Int
  package let name: String
  package let sql: String

  package init(version: Int, name: String, sql: String) {
    self.version = version
    self.name = name
    self.sql = sql
  }

  var runsInTransaction: Bool { !sql.hasPrefix("-- no transaction\n") }

  /// Largest file that is read.
  private static let maximumBytes = 4 << 20

  /// The migrations in a directory by version. Files that do not begin with a digit are none of ours.
  package static func read(directory: String) throws(MigrationError) -> [Migration] {
    var migrations: [Migration] = []
    for file in try files(in: directory) where file.first?.isNumber == true {
      guard let (version, name) = parse(file) else {
        throw MigrationError(.unreadable, "\(file): migrations are named NNNN_name.sql")
      }
      let sql = try contents(of: directory + "/" + file)
      migrations.append(Migration(version: version, name: name, sql: sql))
    }
    return migrations.sorted { $0.version < $1.version }
  }

  static func parse(_ file: String) -> (version: Int, name: String)? {
    guard file.hasSuffix(".sql"), let separator = file.firstIndex(of: "_") else { return nil }
    let digits = file[..<separator]
    let name = file[file.index(after: separator)...].dropLast(4)
    guard digits.count == 4, digits.allSatisfy({ ("0"..."9").contains($0) }), let version = Int(digits), !name.isEmpty
    else { return nil }
    return (version, String(name))
  }

  private static func files(in directory: String) throws(MigrationError) -> [String] {
    guard let stream = opendir(directory) else {
      throw MigrationError(.unreadable, "\(directory): \(String(cString: strerror(errno)))")
    }
    defer { closedir(stream) }
    var files: [String] = []
    while let entry = readdir(stream) {
      files.append(
        withUnsafeBytes(of: &entry.pointee.d_name) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) })
    }
    return files
  }

  private static func contents(of path: String) throws(MigrationError) -> String {
    guard let file = fopen(path, "re") else {
      throw MigrationError(.unreadable, "\(path): \(String(cString: strerror(errno)))")
    }
    defer { fclose(file) }
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 65536)
    while true {
      let count = fread(&chunk, 1, chunk.count, file)
      guard count > 0 else { break }
      bytes.append(contentsOf: chunk[..<count])
      guard bytes.count <= maximumBytes else { throw MigrationError(.unreadable, "\(path): larger than 4 MiB") }
    }
    guard ferror(file) == 0, let text = String(validating: bytes, as: UTF8.self) else {
      throw MigrationError(.unreadable, "\(path): not a readable UTF-8 file")
    }
    return text
  }
}

/// A `jsonb` document as its UTF-8 text.
///
/// A plain value; nobody here parses it. Binary `jsonb` is one version byte (1) and then the text.
package struct PostgresJSON: Sendable, Equatable {
  package let utf8: [UInt8]

  package init(utf8: [UInt8]) { self.utf8 = utf8 }
}

extension PostgresJSON: PostgresEncodable, PostgresDecodable {
  package static var postgresType: PostgresType { .jsonb }

  package func encode(into buffer: inout WireBuffer) {
    buffer.append(UInt8(1))
    buffer.append(contentsOf: utf8)
  }

  package init?(postgresBytes bytes: UnsafeRawBufferPointer) {
    guard bytes.first == 1 else { return nil }
    self.init(utf8: [UInt8](bytes.dropFirst()))
  }
}

/// A body that a call takes: the names it knows, as the contract lists them, and how it is read.
///
/// An initialiser never fails: what is wrong is reported to the reader, which gives a stand-in instead, so that everything wrong
/// with a request is found in one pass. A value with stand-ins in it is thrown away by ``RequestDecoding``.
protocol RequestBody: Sendable {
  /// The schema's name in `openapi.json`.
  static var schema: String { get }
  static var required: [String] { get }
  static var optional: [String] { get }

  init(_ fields: FieldReader)
}

extension RequestBody {
  static var known: [String] { required + optional }
}

internal import JSON
internal import PushCore

/// Turns documents into requests.
enum RequestDecoding {
  /// Throws everything that is wrong with the fields at once.
  static func decode<Body: RequestBody>(_ type: Body.Type, from document: JSONObject) throws(APIProblem) -> Body {
    let (body, problems) = read(type, from: document)
    guard problems.isEmpty else { throw .invalid(problems) }
    return body
  }

  /// The body, with stand-ins where the problems are: for callers that have more to say about it.
  static func read<Body: RequestBody>(
    _ type: Body.Type, from document: JSONObject, at pointer: JSONPointer = .root
  ) -> (Body, [FieldProblem]) {
    let problems = ProblemList()
    let body = Body(FieldReader(document, known: type.known, at: pointer, problems))
    return (body, problems.problems)
  }
}

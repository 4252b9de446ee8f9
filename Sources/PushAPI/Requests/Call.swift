internal import HTTP
internal import JSON
internal import PushCore

/// One request with what its route found in the path.
///
/// A plain value; lives as long as the request is handled.
struct Call: Sendable {
  let request: HTTPRequest
  let parameters: PathParameters

  var path: [String] { request.path }
  var query: QueryItems { request.query }

  /// A typed id from the path. A text that is no id of this kind names nothing.
  func id<Kind>(_ name: String = "id", of kind: Kind.Type = Kind.self) throws(APIProblem) -> ID<Kind> {
    guard let text = parameters[name], let id = ID<Kind>(text) else { throw .notFound }
    return id
  }

  /// Reads the body as one strict JSON object and makes a request of it; throws everything that is wrong with it at once.
  func decode<Body: RequestBody>(
    _ type: Body.Type = Body.self, maximumBytes: Int = BodyLimit.ordinary
  ) throws(APIProblem) -> Body {
    try requireJSON()
    return try RequestDecoding.decode(type, from: try document(maximumBytes))
  }

  /// As ``decode(_:maximumBytes:)``, for calls that mean something with no body at all.
  func decodeIfPresent<Body: RequestBody>(_ type: Body.Type = Body.self) throws(APIProblem) -> Body {
    guard request.body.isEmpty else { return try decode(type) }
    return try RequestDecoding.decode(type, from: JSONObject())
  }

  var mediaType: MediaType? {
    // A field that cannot be read is of no media type that we take.
    request.fields["Content-Type"].flatMap { try? MediaType(parsing: $0) }
  }

  func requireJSON(orAlso accepted: String = "") throws(APIProblem) {
    guard mediaType?.isJSON == true else {
      throw .unsupportedMediaType(accepted: "application/json" + accepted)
    }
  }

  func document(_ maximumBytes: Int) throws(APIProblem) -> JSONObject {
    guard request.body.count <= maximumBytes else { throw .bodyTooLarge(maximum: maximumBytes) }
    let value: JSONValue
    do throws(JSONError) {
      value = try JSONValue(parsing: request.body, limits: JSONLimits(maxBytes: maximumBytes))
    } catch {
      throw .malformedBody(
        FieldProblem(
          pointer: error.pointer?.text ?? "", code: error.code.rawValue, detail: "The body is not taken: \(error)."))
    }
    guard let object = value.object else {
      throw .invalid("", "wrong_type", "The body is an object; this is \(value.kindName).")
    }
    return object
  }
}

/// Bytes of a body.
package enum BodyLimit {
  package static let ordinary = 256 * 1024
  /// A message's list of 20 000 recipients needs more: ids of installations alone are 33 bytes each.
  package static let message = 1024 * 1024
}

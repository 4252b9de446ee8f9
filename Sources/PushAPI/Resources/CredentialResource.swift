internal import HTTP
internal import PushCore

/// An app's key with Apple.
struct CredentialResource: Sendable {
  let tenancy: any TenancyStore
  let inspector: any CredentialInspector

  func put(_ call: Call, in scope: TenantScope) async throws -> Answer {
    let request = try Self.request(call)
    let credential = try inspector.inspect(
      teamID: request.teamID, keyID: request.keyID, bundleID: request.bundleID, p8: request.p8)
    let info = try await tenancy.setCredential(credential, in: scope)
    return .json(.ok) { $0.members(of: info) }
  }

  func read(in scope: TenantScope) async throws -> Answer {
    let info = try await tenancy.credential(in: scope)
    return .json(.ok) { $0.members(of: info) }
  }

  func delete(in scope: TenantScope) async throws -> Answer {
    try await tenancy.deleteCredential(in: scope)
    return .noContent
  }

  /// JSON, or a form with the key's file: what a browser and `curl -F` send.
  private static func request(_ call: Call) throws(APIProblem) -> CredentialRequest {
    guard let type = call.mediaType, type.essence == "multipart/form-data" else {
      try call.requireJSON(orAlso: " or multipart/form-data")
      return try call.decode()
    }
    guard call.request.body.count <= BodyLimit.ordinary else { throw .bodyTooLarge(maximum: BodyLimit.ordinary) }
    let form: MultipartForm
    do throws(HTTPError) {
      form = try MultipartForm(parsing: call.request.body, contentType: type)
    } catch {
      throw .malformedBody(FieldProblem(pointer: "", code: error.code.rawValue, detail: "\(error.detail)."))
    }
    return try CredentialRequest(form)
  }
}

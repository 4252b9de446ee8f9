import HTTP
import JSON
import PushCore
import Testing

@testable import PushAPI

/// The router and the published contract say the same.
@Suite struct ContractTests {
  private static let methods = ["get", "post", "put", "patch", "delete"]

  @Test func everyRouteIsDocumentedAndEveryDocumentedRouteExists() throws {
    let paths = try #require(Contract.document["paths"]?.object)
    let documented = Set(
      paths.members.flatMap { path in
        (path.value.object?.members ?? []).filter { Self.methods.contains($0.name) }
          .map { "\($0.name.uppercased()) \(path.name)" }
      })
    let served = Set(Endpoint.all.map { "\($0.route.method.rawValue) \($0.route.template)" })
    #expect(served.subtracting(documented) == [])
    #expect(documented.subtracting(served) == [])
  }

  static let bodies: [any RequestBody.Type] = [
    CreateAccountRequest.self, UpdateAccountRequest.self, CreateAccountKeyRequest.self, CreateAppRequest.self,
    UpdateAppRequest.self, CreateKeyRequest.self, RotateKeyRequest.self, CredentialRequest.self,
    RegisterRequest.self, UpdateInstallationRequest.self, LoginRequest.self, LogoutRequest.self,
    ReceiptRequest.self, MessageRequest.self,
  ]

  @Test func eachBodysSchemaHasTheFieldsThatTheDecoderKnows() throws {
    for body in Self.bodies {
      let schema = try #require(Contract.schema(body.schema), "\(body.schema)")
      #expect(names(schema["properties"]) == Set(body.known), "\(body.schema)")
      #expect(Set(schema["required"]?.array?.compactMap(\.string) ?? []) == Set(body.required), "\(body.schema)")
      #expect(schema["additionalProperties"] == .bool(false), "\(body.schema)")
    }
  }

  @Test(arguments: [
    ("APNsOptions", APNsOptions.fields), ("LocalizedText", ["title", "subtitle", "body"]),
    ("CriticalSound", ["critical", "name", "volume"]),
  ])
  func nestedSchemasHaveTheFieldsThatTheDecoderKnows(_ name: String, _ known: [String]) throws {
    #expect(names(try #require(Contract.schema(name))["properties"]) == Set(known))
  }

  @Test func everyReferenceLeadsSomewhere() {
    var dangling: [String] = []
    func walk(_ value: JSONValue) {
      if let reference = value["$ref"]?.string, Contract.resolve(value).isNull { dangling.append(reference) }
      for member in value.object?.members ?? [] { walk(member.value) }
      for element in value.array ?? [] { walk(element) }
    }
    walk(Contract.document)
    #expect(dangling == [])
  }

  /// Each answer of an endpoint names the limits and the request id; each status is one that the endpoint can give.
  @Test func everyEndpointDocumentsWhatItsPlaneCanAnswer() throws {
    for endpoint in Endpoint.all {
      let route = endpoint.route
      let operation = try #require(
        Contract.document["paths"]?[route.template]?[route.method.rawValue.lowercased()])
      let statuses = names(operation["responses"])
      switch endpoint {
      case .system: #expect(statuses.contains("200"))
      case .operator, .device: #expect(statuses.isSuperset(of: ["401", "429", "503"]), "\(route)")
      case .account, .sender: #expect(statuses.isSuperset(of: ["401", "403", "429", "503"]), "\(route)")
      case .registration: #expect(statuses.isSuperset(of: ["404", "429", "503"]), "\(route)")
      }
    }
  }

  @Test func theExamplesOfBodiesAreTaken() throws {
    for body in Self.bodies {
      for example in try examples(of: body.schema) {
        let object = try #require(example.object)
        let problems = ProblemList()
        _ = body.init(FieldReader(object, known: body.known, problems))
        // The example of a message is sent at a fixed time, which is past or to come depending on today.
        #expect(problems.problems.filter { $0.pointer != "/send_at" } == [], "\(body.schema)")
      }
    }
  }

  @Test func theServerServesTheDocumentItself() async throws {
    let api = try await TestAPI.make()
    let answer = try await api.call(.get, "/openapi.json")
    #expect(answer.status == 200)
    #expect(answer.response.body == Contract.bytes)
  }

  private func examples(of schema: String) throws -> [JSONValue] {
    var found: [JSONValue] = []
    for path in try #require(Contract.document["paths"]?.object).members {
      for operation in path.value.object?.members ?? [] {
        guard let content = operation.value["requestBody"]?["content"]?["application/json"] else { continue }
        let named = content["schema"].map { [$0] + ($0["oneOf"]?.array ?? []) } ?? []
        guard named.contains(where: { $0["$ref"]?.string == "#/components/schemas/\(schema)" }) else { continue }
        found += [content["example"]].compactMap { $0 }
        found += (content["examples"]?.object?.members ?? []).compactMap { $0.value["value"] }
          .filter { $0["receipts"] == nil }
      }
    }
    return found
  }

  private func names(_ object: JSONValue?) -> Set<String> { Set(object?.object?.members.map(\.name) ?? []) }
}

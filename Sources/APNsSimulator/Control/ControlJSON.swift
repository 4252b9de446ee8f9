internal import Crypto
internal import JSON

extension RecordedRequest: JSONWritable {
  func write(to writer: inout JSONWriter) {
    writer.object { writer in
      writer.member("number", number)
      writer.member("connection", connection)
      writer.member("stream", stream)
      writer.member("received_at_ms", receivedAt)
      writer.member("headers", headers.map { [$0.nameText, $0.valueText] })
      writer.member("body", String(decoding: body, as: UTF8.self))
      // The text above repairs what is not UTF-8; this is exact.
      writer.member("body_base64", Base64.encode(body))
      writer.member("outcome", outcome)
    }
  }
}

extension RecordedRequest.Outcome: JSONWritable {
  func write(to writer: inout JSONWriter) {
    writer.object { writer in
      switch self {
      case .answered(let status, let reason):
        writer.member("kind", "answered")
        writer.member("status", status)
        writer.member("reason", ifPresent: reason)
      case .answerLost(let status):
        writer.member("kind", "answer_lost")
        writer.member("status", status)
      case .ignored: writer.member("kind", "ignored")
      case .reset(let code):
        writer.member("kind", "reset")
        writer.member("code", Int64(code))
      case .connectionCut: writer.member("kind", "connection_cut")
      }
    }
  }
}

extension SimulatorStatistics: JSONWritable {
  func write(to writer: inout JSONWriter) {
    writer.object { writer in
      writer.member("connections_accepted", connectionsAccepted)
      writer.member("connections_open", connectionsOpen)
      writer.member("requests", requests)
      writer.name("answers")
      Self.write(answers.map { (String($0.key), $0.value) }, to: &writer)
      writer.name("reasons")
      Self.write(reasons.map { ($0.key, $0.value) }, to: &writer)
      writer.member("unanswered", unanswered)
      writer.member("distinct_authorizations", distinctAuthorizations)
    }
  }

  private static func write(_ counts: [(name: String, count: Int)], to writer: inout JSONWriter) {
    writer.object { writer in
      for entry in counts.sorted(by: { $0.name < $1.name }) {
        writer.name(text: entry.name)
        writer.value(entry.count)
      }
    }
  }
}

extension DeliveredPush: JSONWritable {
  func write(to writer: inout JSONWriter) {
    writer.object { writer in
      writer.member("apns_id", messageID)
      writer.member("topic", topic)
      writer.member("push_type", ifPresent: kind)
      writer.member("priority", priority)
      writer.member("expiration", ifPresent: expiration)
      writer.member("collapse_id", ifPresent: collapseID)
      writer.member("replaced", replaced)
      writer.member("accepted_at_ms", acceptedAt)
      writer.member("payload", String(decoding: payload, as: UTF8.self))
    }
  }
}

extension SimulatedCredential {
  /// `{"team_id", "key_id", "public_key_pem", "environments": ["sandbox"], "bundle_ids": ["com.example.app"],
  /// "related_key_ids": []}`; without environments both, without bundle ids all.
  init(json: JSONValue) throws(SimulatorError) {
    var fields = try JSONFields(json, at: "credential")
    guard let teamID = try fields.string("team_id") else { throw fields.missing("team_id") }
    guard let keyID = try fields.string("key_id") else { throw fields.missing("key_id") }
    guard let pem = try fields.string("public_key_pem") else { throw fields.missing("public_key_pem") }
    let environments = try Self.texts("environments", &fields)
    let bundleIDs = try Self.texts("bundle_ids", &fields)
    let related = try Self.texts("related_key_ids", &fields)
    try fields.end()
    let publicKey: ES256PublicKey
    do throws(CryptoError) {
      publicKey = try ES256PublicKey(pem: Array(pem.utf8))
    } catch {
      throw fields.wrong("public_key_pem", "a P-256 public key")
    }
    let known = environments.map { names in names.compactMap(SimulatedEnvironment.init(rawValue:)) }
    guard known?.count == environments?.count else {
      throw fields.wrong("environments", "a list of sandbox and production")
    }
    self.init(
      teamID: teamID, keyID: keyID, publicKey: publicKey,
      environments: known.map { Set($0) } ?? Set(SimulatedEnvironment.allCases),
      topics: bundleIDs.map { .bundleIDs(Set($0)) } ?? .all, relatedKeyIDs: Set(related ?? []))
  }

  private static func texts(_ name: String, _ fields: inout JSONFields) throws(SimulatorError) -> [String]? {
    guard let elements = try fields.array(name) else { return nil }
    let texts = elements.compactMap(\.string)
    guard texts.count == elements.count else { throw fields.wrong(name, "a list of strings") }
    return texts
  }
}

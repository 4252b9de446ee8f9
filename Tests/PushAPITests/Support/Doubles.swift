import PushCore
import PushStore
import ServiceKit

/// Seals nothing and remembers the binding: enough for a database that holds no secrets.
struct BoundSealer: Sealer {
  struct WrongBinding: Error {}

  func seal(_ plain: [UInt8], binding context: [UInt8]) throws -> [UInt8] { context + plain }

  func open(_ sealed: [UInt8], binding context: [UInt8]) throws -> [UInt8] {
    guard sealed.starts(with: context) else { throw WrongBinding() }
    return Array(sealed.dropFirst(context.count))
  }
}

/// Says of a draft what a test told it to, and remembers what it was asked. Sending is none of the API's business.
final class JudgingProvider: PushProvider {
  private let state = Lock<(verdict: [FieldProblem], drafts: [MessageDraft])>(([], []))

  var drafts: [MessageDraft] { state.withLock { $0.drafts } }
  func judge(_ problems: [FieldProblem]) { state.withLock { $0.verdict = problems } }

  func problems(in draft: MessageDraft) -> [FieldProblem] {
    state.withLock {
      $0.drafts.append(draft)
      return $0.verdict
    }
  }

  func compile(_ message: Message) throws -> any CompiledMessage { fatalError("the API compiles nothing") }
  func send(_ group: SendGroup, report: @escaping @Sendable ([SendResult]) -> Void) async {
    fatalError("the API sends nothing")
  }
}

/// Takes what begins like a key and refuses everything else, as the real one does with more care.
struct ShapeInspector: CredentialInspector {
  static let goodKey = "-----BEGIN PRIVATE KEY-----\nc2VjcmV0LWtleS1tYXRlcmlhbA==\n-----END PRIVATE KEY-----\n"

  func inspect(
    teamID: String, keyID: String, bundleID: String, p8: [UInt8]
  ) throws(FieldProblems) -> APNsCredential {
    guard p8.starts(with: Array("-----BEGIN PRIVATE KEY-----".utf8)) else {
      throw FieldProblems([FieldProblem(pointer: "/p8", code: "not_a_key", detail: "This is not a private key.")])
    }
    return APNsCredential(
      teamID: teamID, keyID: keyID, bundleID: bundleID, key: SigningKey(pem: p8),
      fingerprint: String(repeating: "0f", count: 32))
  }
}
